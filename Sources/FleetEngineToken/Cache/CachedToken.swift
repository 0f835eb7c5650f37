import Synchronization

/// A token and its rendered answer, as the cache keeps and shares them.
package final class CachedToken: Sendable {
    /// The token.
    package let token: MintedToken
    /// The answer's body as its caller rendered it, ready to be written.
    package let rendered: [UInt8]
    /// The form of the rendered answer, by the caller's own numbers.
    package let form: Int
    /// What a log says of the token; never the token.
    package let annotation: String
    private let recorded = Atomic(false)

    /// A token with its rendered answer.
    package init(token: MintedToken, rendered: [UInt8], form: Int = 0, annotation: String = "") {
        self.token = token
        self.rendered = rendered
        self.form = form
        self.annotation = annotation
    }

    /// Whether a record that it was handed out is known to be kept.
    package var isRecorded: Bool { recorded.load(ordering: .acquiring) }

    /// Says that a record of it is kept.
    package func markRecorded() { recorded.store(true, ordering: .releasing) }
}
