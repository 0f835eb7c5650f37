/// A complete answer of another service.
package struct HTTPClientResponse: Hashable, Sendable {
    /// The status code (RFC 9110 section 15); followed redirects are not included.
    package let status: Int
    /// The fields in their order, names in lower case; fields that are not UTF-8 are left out.
    package let fields: [HTTPClientField]
    /// The body, with the sender's encoding.
    package let body: [UInt8]

    /// The values of all fields of this name, which is in lower case.
    package func values(of name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }
}
