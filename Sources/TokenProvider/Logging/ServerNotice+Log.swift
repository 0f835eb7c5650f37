import CallerAccess
import HTTPServer
import Logging

extension Logger {
    /// Logs what the operator should know.
    func log(_ notice: ServerNotice) {
        let (level, message, fields) = notice.line
        log(level: level, "\(message)", metadata: fields)
    }
}

extension ServerNotice {
    /// A message is a constant, which `StaticString` proves: words of clients are fields. Faults of clients are normal on the
    /// Internet, so they are not warnings.
    fileprivate var line: (Logger.Level, StaticString, Logger.Metadata) {
        switch self {
        case .acceptingPaused(let reason):
            (.warning, "accepting connections is paused", ["reason": "\(reason)"])
        case .connectionsRefused:
            (
                .warning,
                "closing new connections: http.max_connections or http.max_connections_per_address is reached", [:]
            )
        case .memoryPressed(let step): (.warning, "clients hold much of limits.memory", ["reason": "\(step)"])
        case .answersAbandoned:
            (
                .warning,
                "answered 503 (answer_abandoned): a pending answer was dropped, a bug in this program; please report it",
                [:]
            )
        case .handshakeFailed(let reason), .certificateRefused(let reason):
            (.info, "TLS handshake with a client failed", ["reason": "\(ReceivedValue.sentence(reason))"])
        case .clientRefused(let reason):
            (.info, "closed a client's connection", ["reason": "\(ReceivedValue.sentence(reason))"])
        case .proxyHeaderRefused(let address, let isMissing):
            (
                .warning, "closed a connection of a proxy",
                [
                    "peer": "\(address.map(\.description) ?? "-")",
                    "reason": .string(
                        "its PROXY protocol header is \(isMissing ? "missing" : "malformed"); expected version 1 or 2 from "
                            + "peers in proxies.proxy_protocol"),
                ]
            )
        }
    }
}
