internal import Synchronization

/// A token and its rendered answer, as the cache keeps and shares them.
public final class CachedToken: Sendable {
    /// The token.
    public let token: MintedToken
    /// The answer's body as its caller rendered it, ready to be written.
    public let rendered: [UInt8]
    /// The form of the rendered answer, by the caller's own numbers.
    public let form: Int
    /// What a log says of the token; never the token.
    public let annotation: String
    private let recorded = Atomic(false)

    /// A token with its rendered answer.
    public init(token: MintedToken, rendered: [UInt8], form: Int = 0, annotation: String = "") {
        self.token = token
        self.rendered = rendered
        self.form = form
        self.annotation = annotation
    }

    /// Whether a record that it was handed out is known to be kept.
    public var isRecorded: Bool { recorded.load(ordering: .acquiring) }

    /// Says that a record of it is kept.
    public func markRecorded() { recorded.store(true, ordering: .releasing) }
}
