import TestSupport
import Dispatch

@testable import HTTPServer

/// A promised answer that a test can hold.
final class Promise: @unchecked Sendable {  // One holder at a time; queues hand it over.
    private var answer: LateAnswer?

    init(_ answer: LateAnswer) { self.answer = answer }

    func keep(_ answer: @escaping @Sendable (ServerTime) -> HTTPAnswer) { self.answer.take()?.give(answer) }

    func keep(_ text: String) { keep { _ in TestServer.text(text) } }

    func drop() { answer = nil }
}

/// The promises of a server, in the order of their creation.
final class Promises: @unchecked Sendable {  // The list is used only on the queue.
    private let queue = DispatchQueue(label: "promises")
    private let helpers = (0..<4).map { DispatchQueue(label: "helper \($0)") }
    private let arrivals = DispatchSemaphore(value: 0)
    private var promises: [Promise] = []
    private var helped = 0

    func append(_ promise: Promise) {
        queue.sync { promises.append(promise) }
        arrivals.signal()
    }

    /// Waits for the next promise; nil if there is none.
    func next() -> Promise? {
        guard arrivals.wait(timeout: Patience.end) == .success else { return nil }
        return queue.sync { promises.removeFirst() }
    }

    /// Keeps the promise on one of four other threads.
    func help(_ promise: Promise, _ answer: @escaping @Sendable (ServerTime) -> HTTPAnswer) {
        let number = queue.sync {
            helped += 1
            return helped
        }
        helpers[number % helpers.count].async { promise.keep(answer) }
    }
}
