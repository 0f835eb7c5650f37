import CLinux
import Concurrency
import Glibc
import HTTPClient

/// How other threads reach the loop: calls and results under a lock, and an eventfd that ends its wait.
///
/// `@unchecked Sendable`: the descriptor does not change, and the rest is under the lock.
final class CallBox: @unchecked Sendable {
    /// What has come since the last look.
    struct Content: Sendable {
        var calls: [StreamCall] = []
        /// The addresses of the server, if they were looked up.
        var addresses: [ServerAddress]?
        var isClosed = false

        var isEmpty: Bool { calls.isEmpty && addresses == nil && !isClosed }
    }

    fileprivate struct State {
        var content = Content()
        /// Calls that wait for a connection, here or at the loop.
        var waiting = 0
        /// Whether the loop waits, or is about to.
        var isWaiting = false
        var isClosed = false
    }

    private let maxWaiting: Int
    private let state = Guarded(State())
    /// Readable when the loop is to look.
    let descriptor: Int32

    /// Nil if the process has no descriptors left.
    init?(maxWaiting: Int) {
        let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard number >= 0 else { return nil }
        (self.maxWaiting, descriptor) = (maxWaiting, number)
    }

    deinit { Glibc.close(descriptor) }

    /// Leaves a call, or returns why not.
    func post(_ call: StreamCall) -> HTTPClientError.Cause? {
        let (refusal, wakes) = state.withLock { state -> (HTTPClientError.Cause?, Bool) in
            guard !state.isClosed else { return (.shutDown, false) }
            guard state.waiting < maxWaiting else { return (.busy(waiting: state.waiting), false) }
            state.waiting += 1
            state.content.calls.append(call)
            return (nil, state.takeWaiting())
        }
        if wakes { eventfd_write(descriptor, 1) }
        return refusal
    }

    /// Leaves the result of a look-up.
    func post(_ addresses: [ServerAddress]) { leave { $0.addresses = addresses } }

    /// No call is taken from now on, and the loop ends.
    func close() {
        state.withLock { $0.isClosed = true }
        leave { $0.isClosed = true }
    }

    private func leave(_ change: (inout Content) -> Void) {
        let wakes = state.withLock { state in
            change(&state.content)
            return state.takeWaiting()
        }
        if wakes { eventfd_write(descriptor, 1) }
    }

    /// All that has come; the loop's to call, with how many calls have stopped waiting since.
    func take(stopped: Int) -> Content {
        state.withLock { state in
            defer { state.content = Content() }
            state.waiting -= stopped
            return state.content
        }
    }

    /// Whether the loop may wait: then the next that comes wakes it.
    func beginWait() -> Bool {
        state.withLock { state in
            state.isWaiting = state.content.isEmpty
            return state.isWaiting
        }
    }

    /// The loop has waited.
    func endWait(wasWoken: Bool) {
        state.withLock { $0.isWaiting = false }
        var count = eventfd_t()
        if wasWoken { eventfd_read(descriptor, &count) }
    }
}

extension CallBox.State {
    /// Whether the loop must be woken; true once for each wait.
    fileprivate mutating func takeWaiting() -> Bool {
        defer { isWaiting = false }
        return isWaiting
    }
}
