/// An answer of another service.
package struct HTTPClientResponse: Hashable, Sendable {
    /// The status code (RFC 9110 section 15); followed redirects are not included.
    package let status: Int
    /// The fields in their order, names in lower case; fields that are not UTF-8 are left out.
    package let fields: [HTTPClientField]
    package let body: HTTPClientBody
    /// The host and the port of the proxy in between; nil without one.
    package let proxy: String?

    /// An answer with these fields, names in lower case.
    package init(status: Int, fields: [HTTPClientField], body: HTTPClientBody, proxy: String? = nil) {
        (self.status, self.fields, self.body, self.proxy) = (status, fields, body, proxy)
    }

    /// The values of all fields of this name, which is in lower case.
    package func values(of name: String) -> [String] {
        fields.compactMap { $0.name == name ? $0.value : nil }
    }
}

/// The body of an answer, with the sender's encoding.
///
/// Who can cut a connection can cut a body that ends with it, and nothing shows that (RFC 9112 sections 8 and 9.8). So there
/// are two ways to its bytes.
package struct HTTPClientBody: Hashable, Sendable {
    /// The bytes that came, for a reader that refuses a cut body itself: the end of a JSON object or array shows in it.
    package let selfDelimiting: [UInt8]
    private let isProven: Bool

    /// `isProven` says whether framing proves that nothing is missing: a length, the last chunk, or a status without a body.
    package init(_ bytes: [UInt8], isProven: Bool) {
        (selfDelimiting, self.isProven) = (bytes, isProven)
    }

    /// The whole body; nil if nothing proves that it is whole.
    package var whole: [UInt8]? { isProven ? selfDelimiting : nil }
}
