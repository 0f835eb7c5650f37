import Locking

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

    package init(time: Int64, requestID: String, code: String, reason: String, subject: String) {
        (self.time, self.requestID, self.code) = (time, requestID, code)
        (self.reason, self.subject) = (reason, subject)
    }
}

/// The last refusals that were recorded separately, for operators.
package final class LatestRefusals: Sendable {
    /// The most that are held.
    package static let maxCount = 50

    private let refusals = Guarded<[LoggedRefusal]>([])

    package init() {}

    /// All of them, the oldest first.
    package var all: [LoggedRefusal] { refusals.withLock { $0 } }

    /// Adds one, in place of the oldest if there are too many.
    package func add(_ refusal: LoggedRefusal) {
        refusals.withLock { refusals in
            if refusals.count == Self.maxCount { refusals.removeFirst() }
            refusals.append(refusal)
        }
    }
}
