import HTTPServer
import StrictJSON
import TokenService

extension Server {
    /// Nanoseconds to wait for the event loops.
    private static let patience: UInt64 = 1_000_000_000

    /// `GET /healthz` of the admin listener: whether every event loop still turns. Each request checks them all.
    func liveness() -> HTTPAnswer {
        .later { [self] promise in
            awaitTurns(within: Self.patience) { isAlive in
                promise.give { _ in
                    .now(.admin(.health, status: isAlive ? .ok : .serviceUnavailable) { $0.member("alive", isAlive) })
                }
            }
        }
    }
}
