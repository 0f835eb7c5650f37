import TestSupport
import Glibc
import Testing

@Suite struct ChildTests {
    private func shell(_ script: String, output: Child.Output = .inherited) throws -> Child {
        try Child(["sh", "-c", script], output: output)
    }

    @Test func `the outcome has status, standard output and standard error separately`() throws {
        let outcome = try Child.run(["sh", "-c", "echo out; echo error >&2; exit 7"])
        #expect(outcome.status == 7)
        #expect(outcome.output == "out\n")
        #expect(outcome.errors == "error\n")
    }

    @Test func `ending by a signal differs from exiting with its number`() throws {
        #expect(try Child.run(["sh", "-c", "kill -TERM $$"]).status == -SIGTERM)
        #expect(try Child.run(["sh", "-c", "exit 15"]).status == SIGTERM)
        let sleeper = try Child(["sleep", "600"])
        #expect(sleeper.isRunning)
        sleeper.send(SIGINT)
        #expect(try sleeper.wait() == -SIGINT)
        #expect(!sleeper.isRunning)
        #expect(try sleeper.wait() == -SIGINT, "the status is the same on a second call")
    }

    @Test func `a program reads and writes more than a pipe holds`() throws {
        let text = String(repeating: "0123456789abcde\n", count: 1 << 16)
        let outcome = try Child.run(["tee", "/dev/stderr"], input: text)
        #expect(outcome.status == 0)
        #expect(outcome.output == text)
        #expect(outcome.errors == text)
    }

    @Test func `standard input defaults to empty, and given variables override inherited ones`() throws {
        let variables = ["CHILD_TEST": "a=b c", "HOME": "/nowhere"]
        let outcome = try Child.run(["sh", "-c", "cat; echo $CHILD_TEST $HOME $PATH"], environment: variables)
        let path = try #require(getenv("PATH").map { String(cString: $0) })
        #expect(outcome.output == "a=b c /nowhere \(path)\n")
    }

    @Test func `a program that cannot start or fails throws a readable error`() throws {
        let missing = #expect(throws: ChildError.self) { try Child(["no-such-program", "a"]) }
        #expect(missing?.description == "no-such-program cannot be started: No such file or directory")
        let failed = #expect(throws: ChildError.self) { try Child.mustRun(["sh", "-c", "echo why >&2; exit 3"]) }
        #expect(failed?.description.hasSuffix("ended with 3, expected 0: why\n") == true)
        #expect(try Child.mustRun(["echo", "out"]) == "out\n")
    }

    @Test func `a program that exceeds its time limit is killed and reported`() throws {
        let error = #expect(throws: ChildError.self) {
            try Child.run(["sleep", "600"], within: .milliseconds(50))
        }
        #expect(error?.description == "sleep 600 did not end within 0.05 seconds, and was killed")
        let sleeper = try Child(["sleep", "600"])
        #expect(throws: ChildError.self) { try sleeper.wait(within: .zero) }
        #expect(!sleeper.isRunning)
        #expect(try sleeper.wait() == -SIGKILL)
    }

    @Test func `a program is killed when its owner is released`() throws {
        let output = try OutputPipe()
        var sleeper: Child? = try shell("echo here; exec sleep 600", output: .pipe(output))
        #expect(try output.read { $0 == "here\n" } == "here\n")
        #expect(sleeper?.isRunning == true)
        sleeper = nil
        #expect(try output.read().isEmpty, "the writing end is closed")
    }

    @Test func `reading a pipe stops at a match, timeout or end-of-file`() throws {
        let output = try OutputPipe()
        let child = try shell("echo first; exec sleep 600", output: .pipe(output))
        #expect(try output.read { $0.contains("\n") } == "first\n")
        let error = #expect(throws: ChildError.self) { try output.read(within: .milliseconds(50)) }
        #expect(error?.description == "a child neither wrote what was expected nor ended in time")
        child.end()
        #expect(try output.read { $0.contains("\n") }.isEmpty)
    }

    @Test func `a pipe that one child has cannot be given to another`() throws {
        let output = try OutputPipe()
        _ = try shell("exit", output: .pipe(output)).wait()
        #expect(throws: ChildError.self) { try shell("exit", output: .pipe(output)) }
    }
}
