/// What another service answered, whole.
package struct HTTPClientResponse: Hashable, Sendable {
    /// The status code (RFC 9110 section 15), whichever it is; redirects that were followed are not seen.
    package let status: Int
    /// The fields in the order they came, names in lower case; those whose bytes are not UTF-8 are left out.
    package let fields: [HTTPClientField]
    /// The body, as it was encoded by who sent it.
    package let body: [UInt8]

    /// The values of all fields of this name, which is in lower case.
    package func values(of name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }
}
