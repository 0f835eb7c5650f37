import AuditLog
import Concurrency
import FleetEngineToken
import HTTPServer

/// A refusal as the log shows it: without a token, and with ids as the log names them.
package struct LoggedRefusal: Sendable, Equatable {
    /// Seconds since the epoch.
    package let time: Int64
    package let requestID: String
    /// The stable code of the reason.
    package let code: String
    /// The full reason, as `explain` gives it.
    package let reason: String
    /// What was asked for, such as `consumer:8d5f2c0a91b7e346`; empty if it was not known or ids are not logged.
    package let subject: String
}

/// A refusal that is put into words once an operator looks at it, so that its request does not pay for that.
package final class RefusalNote: Sendable {
    /// Why there was no token.
    enum Cause: Sendable {
        case caller(CallerRefusal)
        case sentence(String)
    }

    private let time = ServerTime.now().epochSeconds
    private let code: String
    private let cause: Cause
    private let identity: RequestIdentity
    private let claims: PrivateClaims?
    private let label: IDLabel
    private let words = Guarded<LoggedRefusal?>(nil)

    /// A refusal of now; nil for claims that are not known.
    init(_ code: String, _ cause: Cause, _ identity: RequestIdentity, _ claims: PrivateClaims?, _ label: IDLabel) {
        (self.code, self.cause, self.identity) = (code, cause, identity)
        (self.claims, self.label) = (claims, label)
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
        let reason =
            switch cause {
            case .caller(let refusal): refusal.explanation(naming: label.naming, maxBytes: AuditRecord.maxReason)
            case .sentence(let sentence): sentence
            }
        return LoggedRefusal(
            time: time, requestID: identity.ownText, code: code, reason: reason,
            subject: claims.map(label.text) ?? "")
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
