import HTTPClient
import OpenSSLSigner

extension CredentialMembers {
    /// The member's text in printable ASCII, which RFC 6749 (appendix A) requires of ids and secrets.
    func printableText(_ name: String) throws(CredentialError) -> String {
        let text = try text(name)
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw error(name, "holds a character that is not printable ASCII; expected none")
        }
        return text
    }

    /// Like `printableText`; nil if the member is missing or null.
    func optionalPrintableText(_ name: String) throws(CredentialError) -> String? {
        holds(name) ? try printableText(name) : nil
    }

    /// The request headers in the member's object; none if it is missing or null.
    func fields(_ name: String) throws(CredentialError) -> [HTTPClientField] {
        guard let headers = try optionalObject(name) else { return [] }
        var fields: [HTTPClientField] = []
        for header in headers.names {
            // A name is not quoted before it is known to be one.
            guard let empty = try? HTTPClientField(received: header, "") else {
                throw error(name, "holds a name that no header has (RFC 9110); expected letters, digits and hyphens")
            }
            guard !fields.contains(where: { $0.name == empty.name }) else {
                throw headers.error(header, "is there in another case too; expected each header once")
            }
            fields.append(try headers.field(header))
        }
        return fields
    }

    private func field(_ header: String) throws(CredentialError) -> HTTPClientField {
        let value = try printableText(header)
        do { return try HTTPClientField(header, value) } catch {
            throw self.error(header, "is a header that this program sets itself; expected another")
        }
    }
}
