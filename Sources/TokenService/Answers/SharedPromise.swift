import HTTPServer
import Synchronization

/// A promised answer that closures can capture, which the noncopyable `LateAnswer` cannot be. Only the first answer counts;
/// if none is given before the last reference goes, the server answers `answer_abandoned`.
package final class SharedPromise: Sendable {
    /// The request that waits for the answer.
    let request: AwaitingRequest
    private let promise: Mutex<LateAnswer?>

    fileprivate init(_ promise: consuming LateAnswer) {
        request = promise.request
        self.promise = Mutex(promise)
    }

    /// Gives the answer, from any thread, unless one was given. The closure runs on the event loop and must not block.
    package func give(_ answer: @escaping @Sendable (ServerTime) -> HTTPAnswer) {
        let promise = promise.withLock { $0.take() }
        promise?.give(answer)
    }
}

extension HTTPAnswer {
    /// An answer that `start` promises to give later; it is called at once, on the event loop.
    package static func promise(_ start: @escaping (SharedPromise) -> Void) -> HTTPAnswer {
        .later { start(SharedPromise($0)) }
    }
}
