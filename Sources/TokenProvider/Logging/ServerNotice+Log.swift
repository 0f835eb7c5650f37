import HTTPServer
import Logging

extension Logger {
    /// Logs what the operator should know.
    func log(_ notice: ServerNotice) { log(level: notice.level, "\(notice.sentence)") }
}

extension ServerNotice {
    /// Faults of clients are normal on the Internet, so they are not warnings.
    fileprivate var level: Logger.Level {
        switch self {
        case .handshakeFailed, .certificateRefused, .clientRefused: .info
        case .acceptingPaused, .connectionsRefused, .answersAbandoned, .proxyHeaderRefused, .memoryPressed: .warning
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .acceptingPaused(let reason):
            "accepting connections is paused: \(reason)"
        case .connectionsRefused:
            "closing new connections: http.max_connections or http.max_connections_per_address is reached"
        case .memoryPressed(let step): "clients hold much of limits.memory: \(step)"
        case .answersAbandoned:
            "answered 503 (answer_abandoned): a pending answer was dropped, which is a bug in this program; please report it"
        case .handshakeFailed(let reason), .certificateRefused(let reason):
            "TLS handshake with a client failed: \(reason)"
        case .clientRefused(let reason): "closed a client's connection: \(reason)"
        case .proxyHeaderRefused(let address, let isMissing):
            "closed a connection of the proxy \(address.map(\.description) ?? "-"): its PROXY protocol header is "
                + "\(isMissing ? "missing" : "malformed"); expected version 1 or 2 from peers in proxies.proxy_protocol"
        }
    }
}
