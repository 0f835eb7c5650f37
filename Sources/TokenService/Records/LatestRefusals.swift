import AuditLog
import CallerAccess
import Concurrency
import FleetEngineToken
import HTTPServer
import Logging

/// A refusal as the log shows it: without a token, and with ids as the log names them.
package struct LoggedRefusal: Sendable, Equatable {
    /// Seconds since the epoch.
    package let time: Int64
    package let requestID: String
    /// The stable code of the reason.
    package let code: String
    /// The full reason, as `explain` gives it; for an invalid request, as its client got it.
    package let reason: String
    /// What was asked for, such as `consumer:8d5f2c0a91b7e346`; empty if it was not known or ids are not logged.
    package let subject: String
    /// The authenticated caller; nil if there was none or callers are not logged.
    package let caller: String?
    /// The client's address; nil if it is not logged.
    package let client: String?
}

/// Why there was no token.
enum RefusalCause: Sendable {
    case caller(CallerRefusal)
    case request(TokenProblem)

    /// The stable code.
    var code: String {
        switch self {
        case .caller(let refusal): refusal.problem.code
        case .request(let problem): problem.code
        }
    }

    /// Whether the caller or the request is the cause; otherwise this server, which logs its own outages.
    var isOfClient: Bool {
        guard case .request(let problem) = self else { return true }
        return problem.status.rawValue < 500
    }

    /// The full reason, without the API keys and tokens that a client pasted into its request.
    func explanation(by label: IDLabel) -> String {
        switch self {
        case .caller(let refusal): refusal.explanation(naming: label.naming, maxBytes: AuditRecord.maxReason)
        case .request(.unknownParameter(let name)):
            ReceivedValue.sentence(TokenProblem.unknownParameter(label.parameter(name)).detail)
        case .request(let problem): problem.detail
        }
    }
}

/// A refusal that is put into words once an operator looks at it, so that its request does not pay for that.
package final class RefusalNote: Sendable {
    private let time = ServerTime.now().epochSeconds
    private let cause: RefusalCause
    private let identity: RequestIdentity
    private let claims: PrivateClaims?
    /// The caller's name; the claims of its token, which may be large, are not held.
    private let caller: String?
    private let client: IPAddress?
    private let label: IDLabel
    private let words = Guarded<LoggedRefusal?>(nil)

    /// A refusal of now; nil for claims that are not known, for no caller, and for the client of a unix socket.
    init(
        _ cause: RefusalCause, _ identity: RequestIdentity, _ claims: PrivateClaims?, _ principal: Principal?,
        _ client: IPAddress?, _ label: IDLabel
    ) {
        (self.cause, self.identity, self.claims, self.client) = (cause, identity, claims, client)
        (caller, self.label) = (principal.flatMap(AuditRecord.named)?.name, label)
    }

    /// The fields of its log line.
    var metadata: Logger.Metadata {
        let logged = logged
        var metadata: Logger.Metadata = [
            "request_id": "\(logged.requestID)", "code": "\(logged.code)", "reason": "\(logged.reason)",
        ]
        if let caller = logged.caller { metadata["principal"] = "\(caller)" }
        if let client = logged.client { metadata["client"] = "\(client)" }
        if let given = identity.givenID { metadata["client_request_id"] = "\(given)" }
        if let trace = identity.trace?.parent { metadata["trace_id"] = "\(trace.traceID)" }
        return metadata
    }

    /// The refusal in words.
    fileprivate var logged: LoggedRefusal {
        words.withLock { words in
            let logged = words ?? inWords
            words = logged
            return logged
        }
    }

    private var inWords: LoggedRefusal {
        LoggedRefusal(
            time: time, requestID: identity.ownText, code: cause.code, reason: cause.explanation(by: label),
            subject: claims.map(label.text) ?? "", caller: caller.flatMap(label.caller), client: label.client(client))
    }
}

/// The last refusals that were recorded separately, for operators.
package final class LatestRefusals: Sendable {
    /// The most that are held.
    package static let maxCount = 50

    private let notes = Guarded<[RefusalNote]>([])

    /// None yet.
    package init() {}

    /// All of them, the oldest first.
    package var all: [LoggedRefusal] { notes.withLock { $0 }.map(\.logged) }

    /// Adds one, in place of the oldest if there are too many.
    package func add(_ note: RefusalNote) {
        notes.withLock { notes in
            if notes.count == Self.maxCount { notes.removeFirst() }
            notes.append(note)
        }
    }
}
