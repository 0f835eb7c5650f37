import Concurrency
import Glibc

/// A program that a test started. If it still runs when its owner is released, it is killed and waited for. It has the
/// descriptors 0, 1 and 2 and no other, whatever other tests have open.
package final class Child: Sendable {
    /// The destination of standard output or standard error.
    package enum Output {
        /// The same as for the tests.
        case inherited
        /// A file, which is created or truncated.
        case file(String)
        /// A pipe that the test reads.
        case pipe(OutputPipe)
        /// A file in memory, read after the child has ended.
        case memory(MemoryFile)
    }

    /// The process identifier; another process may get it after this one has been waited for.
    package let identifier: pid_t
    private let name: String
    private let status = Guarded<Int32?>(nil)

    /// Starts a command, which is looked up in PATH if its name has no slash. The given variables are added to those of
    /// the tests. Standard input is empty unless given.
    package init(
        _ command: [String], environment: [String: String] = [:], input: MemoryFile? = nil,
        output: Output = .inherited, errors: Output = .inherited
    ) throws(ChildError) {
        name = command.prefix(2).joined(separator: " ")
        identifier = try Spawning(
            command: command, environment: environment, input: input, output: output, errors: errors
        ).start()
    }

    deinit { end() }

    package var isRunning: Bool { reap(WNOHANG) == nil }

    /// Sends a signal if the child still runs.
    package func send(_ signal: Int32) {
        // Under the lock: after the child has been waited for, another process may have its identifier.
        status.withLock { status in
            if status == nil { kill(identifier, signal) }
        }
    }

    /// Waits for the end, and returns the exit status or the negative number of the signal that ended the child. Kills
    /// the child and throws if it takes too long.
    @discardableResult
    package func wait(within limit: Duration = Patience.limit) throws(ChildError) -> Int32 {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            if let status = reap(WNOHANG) { return status }
            usleep(1000)
        }
        end()
        throw ChildError("\(name) did not end within \(limit), and was killed")
    }

    /// Kills the child if it still runs, and returns once it has ended.
    package func end() {
        send(SIGKILL)
        _ = reap(0)
    }

    /// The status if the child has ended; waits for the end unless the option is WNOHANG.
    private func reap(_ option: Int32) -> Int32? {
        status.withLock { status in
            guard status == nil else { return status }
            var code: Int32 = 0
            var answer: pid_t
            repeat { answer = waitpid(identifier, &code, option) } while answer < 0 && errno == EINTR
            guard answer == identifier else { return nil }
            // As the macros WIFEXITED, WEXITSTATUS and WTERMSIG of wait(2), which Swift does not import.
            let signal = code & 0x7F
            status = signal == 0 ? (code >> 8) & 0xFF : -signal
            return status
        }
    }
}
