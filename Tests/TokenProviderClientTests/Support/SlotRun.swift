import Foundation
import FoundationNetworking
import Testing

@testable import TokenProviderClient

/// One subject's state with a clock that the test moves, and what it asked for.
struct SlotRun {
    var slot = TokenSlot()
    var now = ClockReading(wall: 1_800_000_000, monotonic: 1000)
    var random = 0.0
    /// The server's pause for all subjects.
    var shared: TokenPause?
    /// The current try.
    private(set) var sent: TokenEffort.ID?
    private(set) var sentFresh: [Bool] = []
    private(set) var cancelled = 0
    private(set) var pausedAll = 0
    /// What callers got, in order.
    private(set) var answers: [(id: Int, text: String)] = []
    /// The seconds that errors named, in order.
    private(set) var waits: [TimeInterval?] = []

    mutating func handle(_ event: TokenSlot.Event) {
        let moment = TokenSlot.Moment(now: now, random: random, pause: shared)
        for action in slot.handle(event, at: moment) {
            switch action {
            case .send(let id, let fresh):
                sent = id
                sentFresh.append(fresh)
            case .cancelSend:
                cancelled += 1
                sent = nil
            case .pauseAll: pausedAll += 1
            case .answer(let ids, .success(let token)): answers += ids.map { ($0, token.string) }
            case .answer(let ids, .failure(let error)):
                answers += ids.map { ($0, error.name) }
                waits += ids.map { _ in error.wait }
            }
        }
    }

    /// A caller asks, and waits for so many seconds.
    mutating func ask(_ id: Int, within seconds: TimeInterval = 30) {
        handle(.asked(id, deadline: now.monotonic + seconds))
    }

    /// The current try ends.
    mutating func end(_ outcome: TryOutcome) throws {
        let id = try #require(sent, "no try")
        sent = nil
        handle(.ended(id, outcome))
    }

    /// The try ends with a token that may be used for so many seconds.
    mutating func end(token: String, usable seconds: TimeInterval) throws { try end(.token(lease(token, seconds))) }

    func lease(_ text: String, _ seconds: TimeInterval) throws -> TokenLease {
        try #require(
            TokenLease(
                text, kind: .driver, expiration: now.wall + seconds, answered: now.wall - 1, requested: now,
                random: random))
    }

    mutating func fail(retryAfter seconds: TimeInterval? = nil) throws {
        try end(.failed(.unreachable(URLError(.networkConnectionLost)), retryAfter: seconds))
    }

    /// Time passes, and the state is looked at when it wants to be.
    mutating func advance(by seconds: TimeInterval) {
        let end = now.monotonic + seconds
        while let wait = slot.nextEvent(at: now), now.monotonic + wait <= end {
            pass(wait)
            handle(.due)
        }
        pass(max(0, end - now.monotonic))
    }

    /// Time passes without a look at the state, as while a device sleeps.
    mutating func pass(_ seconds: TimeInterval) {
        now.wall += seconds
        now.monotonic += seconds
    }

    var texts: [String] { answers.map(\.text) }
}

extension TokenProviderError {
    /// The seconds that the server named.
    fileprivate var wait: TimeInterval? {
        switch self {
        case .limited(_, let seconds), .unavailable(_, let seconds): seconds
        default: nil
        }
    }

    /// The case, and the problem's code if there is one.
    var name: String {
        switch self {
        case .unauthenticated(let problem): "unauthenticated \(problem.code)"
        case .forbidden(let problem): "forbidden \(problem.code)"
        case .rejected(let problem): "rejected \(problem.code)"
        case .limited(let problem, _): "limited \(problem.code)"
        case .unavailable(let problem, _): "unavailable \(problem.code)"
        case .unreachable(let error): "unreachable \(error.code.rawValue)"
        case .invalidAnswer(let status, _): "invalidAnswer \(status)"
        case .redirected(_, let host): "redirected \(host ?? "nowhere")"
        case .noCredentials: "noCredentials"
        case .malformedCredentials: "malformedCredentials"
        }
    }
}
