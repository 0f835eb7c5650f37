import HTTPServer
import StrictJSON
import TokenService

/// `GET /healthz` of the admin listener: whether the loops turn, each of which is asked whenever somebody asks.
struct Liveness: Sendable {
    /// Nanoseconds.
    private static let patience: UInt64 = 1_000_000_000

    /// Whose loops.
    let server: Server

    func answer() -> HTTPAnswer {
        .promise { promise in
            server.awaitTurns(within: Liveness.patience) { isAlive in
                promise.give { _ in .now(Liveness.response(isAlive: isAlive)) }
            }
        }
    }

    private static func response(isAlive: Bool) -> HTTPResponse {
        var json = JSONWriter()
        json.object { $0.member("alive", isAlive) }
        return AdminDocuments.response(.health, json.bytes, status: isAlive ? .ok : .serviceUnavailable)
    }
}
