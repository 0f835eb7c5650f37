import Dispatch
import FleetEngineToken
import HTTPServer

/// `GET /healthz` of the admin listener: whether the loops turn, each of which is asked whenever somebody asks.
struct Liveness: Sendable {
    private static let patience = DispatchTimeInterval.seconds(1)

    /// Whose loops.
    let server: Server

    func answer() -> HTTPAnswer {
        .later { promise in
            let held = HeldAnswer(promise)
            server.afterTurn { held.give { _ in .now(Liveness.response(isAlive: true)) } }
            DispatchQueue.global().asyncAfter(deadline: .now() + Liveness.patience) {
                held.give { _ in .now(Liveness.response(isAlive: false)) }
            }
        }
    }

    private static func response(isAlive: Bool) -> HTTPResponse {
        var json = JSONWriter()
        json.object { $0.member("alive", isAlive) }
        return AdminDocuments.response(.health, json.bytes, status: isAlive ? .ok : .serviceUnavailable)
    }
}
