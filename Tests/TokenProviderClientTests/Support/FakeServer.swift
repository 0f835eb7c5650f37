import Concurrency
import Foundation
import FoundationNetworking

@testable import TokenProviderClient

/// A token provider in memory: it counts requests, and answers with new tokens unless told otherwise.
final class FakeServer: Sendable {
    /// What it does with a request; the first is 1.
    typealias Behaviour = @Sendable (_ number: Int, _ request: URLRequest) async throws -> HTTPAnswer

    private let seen = Guarded<[URLRequest]>([])
    private let behaviour: Behaviour

    init(_ behaviour: @escaping Behaviour) { self.behaviour = behaviour }

    /// One that gives tokens which live for so many seconds by its clock, which is ahead of the device's.
    convenience init(_ clock: ManualClock, lifetime: TimeInterval = 3600, ahead: TimeInterval = 0) {
        self.init { number, _ in
            let now = clock.now.wall + ahead
            return .token("head.n\(number).signature", until: now + lifetime, at: now)
        }
    }

    var requests: [URLRequest] { seen.withLock { $0 } }
    var count: Int { requests.count }

    var transport: Transport {
        { request in
            let number = self.seen.withLock { seen in
                seen.append(request)
                return seen.count
            }
            return try await self.behaviour(number, request)
        }
    }
}

extension HTTPAnswer {
    /// An answer with a token; both times are seconds since the epoch.
    static func token(_ text: String = "head.body.signature", until end: TimeInterval, at date: TimeInterval)
        -> HTTPAnswer
    {
        HTTPAnswer(
            status: 200, fields: ["Content-Type": "application/json", "Date": httpDate(date)],
            body: Data(#"{"token":"\#(text)","expiration_timestamp_ms":\#(Int(end * 1000))}"#.utf8))
    }

    /// An answer with problem details.
    static func problem(_ status: Int, _ code: String, _ fields: [String: String] = [:]) -> HTTPAnswer {
        let body = #"{"type":"about:blank","status":\#(status),"detail":"A sentence.","code":"\#(code)"}"#
        let type = ["Content-Type": "application/problem+json"]
        return HTTPAnswer(status: status, fields: type.merging(fields) { $1 }, body: Data(body.utf8))
    }

    static func httpDate(_ seconds: TimeInterval) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.string(from: Date(timeIntervalSince1970: seconds))
    }
}

/// Holds those who wait at it until it is opened.
final class Gate: Sendable {
    private let state = Guarded<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
