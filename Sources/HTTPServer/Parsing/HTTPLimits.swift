/// What a request may measure, in bytes and counts.
public struct HTTPLimits: Sendable {
    /// The longest line of a head.
    public var maxLine: Int
    /// The longest head, from the request line to the empty line.
    public var maxHead: Int
    /// The most fields in a head.
    public var maxFields: Int
    /// The longest body that is read and dropped; after a longer one the connection is closed.
    public var maxDiscardedBody: Int

    /// Limits in bytes and counts; the defaults are those of the configuration.
    public init(maxLine: Int = 16_384, maxHead: Int = 32_768, maxFields: Int = 100, maxDiscardedBody: Int = 16_384) {
        self.maxLine = maxLine
        self.maxHead = maxHead
        self.maxFields = maxFields
        self.maxDiscardedBody = maxDiscardedBody
    }
}
