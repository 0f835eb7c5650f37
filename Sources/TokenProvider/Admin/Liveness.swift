import HTTPServer
import StrictJSON
import TokenService

/// `GET /healthz` of the admin listener: whether every event loop still turns. Each request checks them all.
struct Liveness: Sendable {
    /// Nanoseconds to wait for the event loops.
    private static let patience: UInt64 = 1_000_000_000

    /// The server with the event loops.
    let server: Server

    func answer() -> HTTPAnswer {
        .later { promise in
            server.awaitTurns(within: Liveness.patience) { isAlive in
                promise.give { _ in .now(Liveness.response(isAlive: isAlive)) }
            }
        }
    }

    private static func response(isAlive: Bool) -> HTTPResponse {
        HTTPResponse.admin(.health, status: isAlive ? .ok : .serviceUnavailable) { $0.member("alive", isAlive) }
    }
}
