import TestSupport
import Concurrency
import Dispatch
import Glibc
import Testing

/// A child inherits nothing from the tests except what it was given.
@Suite struct InheritanceTests {
    @Test func `a child does not inherit descriptors that other threads open`() throws {
        let isDone = Guarded(false)
        let threads = DispatchGroup()
        for thread in 0..<3 {
            DispatchQueue(label: "opener \(thread)").async(group: threads) {
                while !isDone.withLock({ $0 }) {
                    var ends: [Int32] = [-1, -1]
                    pipe(&ends)
                    for end in ends { close(end) }
                }
            }
        }
        defer {
            isDone.withLock { $0 = true }
            threads.wait()
        }
        for _ in 0..<100 {
            // ls itself opens descriptor 3, for the folder that it lists.
            #expect(try Child.mustRun(["ls", "/proc/self/fd"]) == "0\n1\n2\n3\n")
        }
    }

    @Test func `a child starts without the blocked and ignored signals of its parent`() throws {
        signal(SIGPIPE, SIG_IGN)
        var (signals, previous) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        #expect(try Child.run(["sh", "-c", "kill -TERM $$"]).status == -SIGTERM)
        #expect(try Child.run(["sh", "-c", "kill -PIPE $$"]).status == -SIGPIPE)
    }
}
