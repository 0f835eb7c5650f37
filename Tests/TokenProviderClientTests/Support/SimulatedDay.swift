import Foundation
import FoundationNetworking
import Testing

@testable import TokenProviderClient

/// A device with a client, and a server with a clock of its own; nothing happens by itself.
struct SimulatedDay {
    /// How long a token lives, and how long before its end it is to be replaced, in seconds.
    static let lifetime: TimeInterval = 120
    static let margin: TimeInterval = 10

    private(set) var run = SlotRun()
    /// What the server's clock shows.
    private var server: TimeInterval
    /// The try that is on its way.
    private var pending: (id: TokenEffort.ID, start: ClockReading, end: TimeInterval)?
    private var random: SplitMix
    private(set) var requests = 0
    private var calls = 0
    private var seen = 0
    private(set) var failures: [String] = []
    /// The smallest number of seconds that a token had left, by the server's clock, when a caller got it.
    private(set) var least = TimeInterval.infinity

    /// With a server whose clock is ahead of the device's.
    init(ahead: TimeInterval, seed: UInt64) {
        server = run.now.wall + ahead
        random = SplitMix(state: seed)
    }

    var served: Int { seen - failures.count }

    /// A caller asks.
    mutating func call() throws {
        calls += 1
        run.random = .random(in: 0..<1, using: &random)
        run.ask(calls)
        try look()
    }

    /// Time passes, and the client is looked at whenever it wants to be.
    mutating func pass(_ seconds: TimeInterval) throws {
        let end = run.now.monotonic + seconds
        while true {
            let wake = run.slot.nextEvent(at: run.now).map { run.now.monotonic + $0 }
            guard let next = [pending?.end, wake].compactMap({ $0 }).min(), next <= end else { break }
            move(max(0, next - run.now.monotonic))
            if let pending, pending.end <= next { try answer(pending) } else { run.handle(.due) }
            try look()
        }
        move(max(0, end - run.now.monotonic))
    }

    /// The device sleeps: nothing is looked at, and its monotonic clock goes on or stands still.
    mutating func sleep(_ seconds: TimeInterval, stopsClock: Bool) {
        move(seconds)
        if stopsClock { run.now.monotonic -= seconds }
    }

    /// The owner sets the device's clock.
    mutating func setClock(by seconds: TimeInterval) { run.now.wall += seconds }

    private mutating func move(_ seconds: TimeInterval) {
        run.pass(seconds)
        server += seconds
    }

    /// Sends the client's requests, and checks what callers got.
    private mutating func look() throws {
        if let id = run.sent, id != pending?.id {
            pending = (id, run.now, run.now.monotonic + .random(in: 0.01...2, using: &random))
        } else if run.sent == nil {
            pending = nil
        }
        for (_, text) in run.answers[seen...] {
            guard let end = TimeInterval(text.split(separator: ".").dropFirst().first ?? "") else {
                failures.append(text)
                continue
            }
            least = min(least, end - server)
        }
        seen = run.answers.count
    }

    /// The server answers: with a token, or each fourth time with something else.
    private mutating func answer(_ pending: (id: TokenEffort.ID, start: ClockReading, end: TimeInterval)) throws {
        requests += 1
        self.pending = nil
        switch requests % 12 {
        case 4: try run.end(TryOutcome(URLError(.networkConnectionLost)))
        case 8: try run.end(read(.problem(503, "signing_unavailable", ["Retry-After": "2"]), pending.start))
        default:
            let end = (server + Self.lifetime).rounded(.down)
            try run.end(read(.token("head.\(Int(end)).signature", until: end - Self.margin, at: server), pending.start))
        }
    }

    private func read(_ answer: HTTPAnswer, _ start: ClockReading) -> TryOutcome {
        TryOutcome(answer, for: .vehicle("v"), requested: start, hasCredentials: true, random: run.random)
    }
}

/// Lots that are the same in each run (Steele, Lea and Flood 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
