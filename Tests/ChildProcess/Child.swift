import Glibc
import Locking

/// A program that was started by a test; killed and waited for with its owner if it still runs. It has the descriptors 0,
/// 1 and 2 and no other, whatever other tests have open.
public final class Child: Sendable {
    /// Where its standard output or standard error goes.
    public enum Output {
        /// Where that of the tests goes.
        case inherited
        /// A file, which is made or emptied.
        case file(String)
        /// A pipe of its own.
        case pipe(OutputPipe)
        /// A file in memory, read once the child has ended.
        case memory(MemoryFile)
    }

    /// Its process identifier, which may become another process's once it has been waited for.
    public let identifier: pid_t
    private let name: String
    private let status = Guarded<Int32?>(nil)

    /// Starts a command, which is searched for if its name has no slash; its variables are those of the tests and these, and
    /// its standard input is empty unless given.
    public init(
        _ command: [String], environment: [String: String] = [:], input: MemoryFile? = nil,
        output: Output = .inherited, errors: Output = .inherited
    ) throws(ChildError) {
        name = command.prefix(2).joined(separator: " ")
        identifier = try Spawning(
            command: command, environment: environment, input: input, output: output, errors: errors
        ).start()
    }

    deinit { end() }

    public var isRunning: Bool { reap(WNOHANG) == nil }

    /// Sends a signal, if it still runs.
    public func send(_ signal: Int32) {
        // Under the lock, since the identifier is nobody else's only until the child has been waited for.
        status.withLock { status in
            if status == nil { kill(identifier, signal) }
        }
    }

    /// Its exit status once it has ended, or the negative number of the signal that ended it. Where it takes too long it is
    /// killed, and this throws.
    @discardableResult
    public func wait(within limit: Duration = Patience.limit) throws(ChildError) -> Int32 {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            if let status = reap(WNOHANG) { return status }
            usleep(1000)
        }
        end()
        throw ChildError("\(name) did not end within \(limit), and was killed")
    }

    /// Kills it, if it still runs, and returns once it is gone.
    public func end() {
        send(SIGKILL)
        _ = reap(0)
    }

    /// Its status if it has ended; waits for that where no option forbids it.
    private func reap(_ option: Int32) -> Int32? {
        status.withLock { status in
            guard status == nil else { return status }
            var code: Int32 = 0
            var answer: pid_t
            repeat { answer = waitpid(identifier, &code, option) } while answer < 0 && errno == EINTR
            guard answer == identifier else { return nil }
            // What the macros WIFEXITED, WEXITSTATUS and WTERMSIG of wait(2) look at.
            let signal = code & 0x7F
            status = signal == 0 ? (code >> 8) & 0xFF : -signal
            return status
        }
    }
}
