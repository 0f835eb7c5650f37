/// A token and its rendered answer, as the cache keeps and shares them.
public final class CachedToken: Sendable {
    /// The token.
    public let token: MintedToken
    /// The answer's body as its caller rendered it, ready to be written.
    public let rendered: [UInt8]
    /// What a log says of the token; never the token.
    public let annotation: String

    /// A token with its rendered answer.
    public init(token: MintedToken, rendered: [UInt8], annotation: String = "") {
        self.token = token
        self.rendered = rendered
        self.annotation = annotation
    }
}
