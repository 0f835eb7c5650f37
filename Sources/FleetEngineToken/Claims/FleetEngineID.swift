/// The id of a trip, vehicle, task or shipment, by the rules of Fleet Engine's protocol buffers and a few of our own;
/// valid once it exists, never the wildcard.
///
/// Only Normalization Form C passes, so two ids are equal exactly when their bytes are: Swift compares strings by
/// canonical equivalence, and of each such class one spelling is an id. What is not in that form is refused rather than
/// rewritten, because client and claim must hold the same bytes.
package struct FleetEngineID: Hashable, Sendable {
    /// The id as it stands in the claim: 1 to 64 Unicode scalars.
    package let text: String

    /// An id out of text from anywhere; throws the first rule the text breaks.
    package init(_ text: String) throws(FleetEngineIDError) {
        try FleetEngineIDRules.check(text)
        self.text = text
    }

    /// An id out of bytes whose percent-encoding (RFC 3986 section 2.1) was undone; throws `notUTF8` where the bytes
    /// are not well-formed UTF-8 (RFC 3629), else the first rule the text breaks.
    package init(percentDecoded bytes: [UInt8]) throws(FleetEngineIDError) {
        // Validated, never repaired: a repaired byte would let two different requests share one id.
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        try self.init(text)
    }

    /// An id out of a range of bytes that are letters, digits, "-" and "_", as nearly every id's are: they mean what
    /// they are in any encoding, and one pass over them settles every rule. Nil if there is any other byte, or too many.
    package init?(plain bytes: Span<UInt8>, _ range: Range<Int>) {
        guard FleetEngineIDRules.isPlain(bytes, range) else { return nil }
        text = bytes.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
