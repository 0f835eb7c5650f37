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

    /// A token with its rendered answer.
    public init(token: MintedToken, rendered: [UInt8], form: Int = 0, annotation: String = "") {
        self.token = token
        self.rendered = rendered
        self.form = form
        self.annotation = annotation
    }
}
