import TestSupport
@testable import GoogleCredentials
import FleetEngineToken

@testable import TokenService

/// Devices whose tokens Google signs, in simulated time.
final class SimulatedFleet {
    private struct Device {
        let order: RemoteOrder
        let interval: Int64
        /// Whether it has had a token.
        let isKnown = Locked(false)
    }

    /// What the devices got.
    struct Counts {
        /// Requests that a cached token answered.
        var hits = 0
        /// Requests that waited for Google although the device had had a token.
        var waits = 0
        /// Requests that failed.
        var failures = 0
    }

    /// Seconds that a token must have left for a client.
    private static let margin: Int64 = 60

    let clock: MockClock
    private let cache = TokenCache(maxBytes: 256 << 20, reuseFraction: 0.5)
    private let minter: TokenMinter
    private let mint: RemoteMint
    private let numbers = Locked(0.0)
    private let failures = Locked(0)
    /// The devices by the second in which they ask next.
    private var agenda: [Int64: [Device]] = [:]
    private var count = 0

    init(_ signer: any RemoteTokenSigner, _ clock: MockClock) throws {
        self.clock = clock
        minter = TokenMinter(remote: signer, policy: try TokenPolicy())
        mint = RemoteMint(
            cache: cache, clock: clock.signing.epochSeconds, random: { [numbers] in Self.next(numbers) },
            on: InlineExecutor(), logger: nil)
    }

    private var now: Int64 { clock.signing.epochSeconds() }

    /// Adds devices, each of which asks for the first time within these seconds, and then at an interval of its own.
    func add(_ count: Int, within seconds: Int64, every intervals: ClosedRange<Int64>) throws {
        for _ in 0..<count {
            self.count += 1
            let claims = PrivateClaims.trip(try FleetEngineID("trip-\(self.count)"))
            let key = TokenKey(claims: claims, profile: minter.profile)
            let order = RemoteOrder(key: key, minter: minter) { token, _ in
                RenderedToken(token, rendered: [])
            }
            agenda[now + number(in: 1...seconds), default: []].append(
                Device(order: order, interval: number(in: intervals)))
        }
    }

    /// Lets time pass; returns what the devices got meanwhile.
    func run(_ seconds: Int64) -> Counts {
        var counts = Counts()
        let before = failures.withLock { $0 }
        for _ in 0..<seconds {
            clock.advance(by: .seconds(1))
            mint.step()
            for device in agenda.removeValue(forKey: now) ?? [] {
                ask(device, &counts)
                agenda[now + device.interval, default: []].append(device)
            }
        }
        counts.failures = failures.withLock { $0 } - before
        return counts
    }

    private func ask(_ device: Device, _ counts: inout Counts) {
        if let token = cache.usable(device.order.key, at: now, leaving: Self.margin) {
            counts.hits += 1
            return mint.handedOut(token, at: now, device.order)
        }
        if device.isKnown.withLock({ $0 }) { counts.waits += 1 }
        mint.token(device.order) { [failures] result in
            switch result {
            case .success: device.isKnown.withLock { $0 = true }
            case .failure: failures.withLock { $0 += 1 }
            }
        }
    }

    private func number(in range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(Self.next(numbers) * Double(range.count))
    }

    /// Numbers from 0 up to 1 that are the same in each run and spread evenly.
    private static func next(_ numbers: Locked<Double>) -> Double {
        numbers.withLock { number in
            number = (number + 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            return number
        }
    }
}

/// When a simulated signer answers: after 50 ms, one of a hundred after 500 ms, and one of a thousand never.
struct SimulatedDelays {
    private var calls = 0

    mutating func next() -> Duration? {
        calls += 1
        return calls % 1000 == 0 ? nil : .milliseconds(calls % 100 == 50 ? 500 : 50)
    }
}
