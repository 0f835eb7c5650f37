import HTTPServer
import Logging

extension Logger {
    /// Tells of what the operator should know.
    func tell(_ notice: ServerNotice) { log(level: notice.level, "\(notice.sentence)") }
}

extension ServerNotice {
    /// How much it matters: on the Internet somebody always does something wrong.
    fileprivate var level: Logger.Level {
        switch self {
        case .handshakeFailed, .certificateRefused, .clientRefused: .info
        case .acceptingPaused, .connectionsRefused, .answersAbandoned: .warning
        }
    }

    /// What the log says.
    fileprivate var sentence: String {
        switch self {
        case .acceptingPaused(let reason):
            "no connection can be accepted for the moment: \(reason)"
        case .connectionsRefused:
            "connections are closed unheard: http.max_connections or http.max_connections_per_address is reached"
        case .answersAbandoned:
            "a request was answered 503 (answer_abandoned): a part of this program let go of the answer it had promised"
        case .handshakeFailed(let reason), .certificateRefused(let reason):
            "a client and this server could not agree on a secure connection: \(reason)"
        case .clientRefused(let reason): "a client's connection was ended: \(reason)"
        }
    }
}
