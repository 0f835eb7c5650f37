import Synchronization

/// A token and its rendered answer, shared by all event loops.
package final class CachedToken: Sendable {
    package let token: MintedToken
    /// The answer's body, rendered by the caller and ready to be written.
    package let rendered: [UInt8]
    /// The format of the rendered answer; the caller defines the numbers.
    package let form: Int
    /// What a log may contain about the token; never the token itself.
    package let annotation: String
    private let recorded = Atomic(false)

    /// A token with its rendered answer.
    package init(token: MintedToken, rendered: [UInt8], form: Int = 0, annotation: String = "") {
        self.token = token
        self.rendered = rendered
        self.form = form
        self.annotation = annotation
    }

    /// Whether the audit log is known to have a record of this token.
    package var isRecorded: Bool { recorded.load(ordering: .acquiring) }

    /// Marks it as recorded in the audit log.
    package func markRecorded() { recorded.store(true, ordering: .releasing) }
}
