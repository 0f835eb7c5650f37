/// What a request may measure, in bytes and counts.
package struct HTTPLimits: Sendable {
    /// The longest line of a head.
    package var maxLine: Int
    /// The longest head, from the request line to the empty line.
    package var maxHead: Int
    /// The most fields in a head.
    package var maxFields: Int
    /// The longest body that is read and dropped; after a longer one the connection is closed.
    package var maxDiscardedBody: Int

    /// Limits in bytes and counts; the defaults are those of the configuration.
    package init(maxLine: Int = 16_384, maxHead: Int = 32_768, maxFields: Int = 100, maxDiscardedBody: Int = 16_384) {
        self.maxLine = maxLine
        self.maxHead = maxHead
        self.maxFields = maxFields
        self.maxDiscardedBody = maxDiscardedBody
    }
}
