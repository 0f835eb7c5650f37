/// The id of a trip, vehicle, task or shipment, by the rules of Fleet Engine's protocol buffers (CONTRACT.md section 1)
/// and some of ours. It is valid once it exists, and never the wildcard.
///
/// Only Normalization Form C is accepted, so two ids are equal exactly if their bytes are: Swift compares strings by
/// canonical equivalence, and only one spelling of each such class is an id. Other forms are refused and not rewritten,
/// because client and claim must have the same bytes.
package struct FleetEngineID: Hashable, Sendable {
    /// The id as it is in the claim: 1 to 64 Unicode scalars.
    package let text: String

    /// An id from any text. Throws the first rule that the text breaks.
    package init(_ text: String) throws(FleetEngineIDError) {
        try FleetEngineIDRules.check(text)
        self.text = text
    }

    /// An id from percent-decoded bytes (RFC 3986 section 2.1). Throws `notUTF8` if the bytes are not well-formed UTF-8
    /// (RFC 3629), otherwise the first rule that the text breaks.
    package init(percentDecoded bytes: [UInt8]) throws(FleetEngineIDError) {
        // Validated, not repaired: a repaired byte would let two different requests share one id.
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        try self.init(text)
    }

    /// An id from a range of bytes that are only letters, digits, "-" and "_", as in nearly every id. They are the same in
    /// any encoding, and one pass over them checks every rule. Nil if there is any other byte, or too many.
    package init?(plain bytes: Span<UInt8>, _ range: Range<Int>) {
        guard FleetEngineIDRules.isPlain(bytes, range) else { return nil }
        text = bytes.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
