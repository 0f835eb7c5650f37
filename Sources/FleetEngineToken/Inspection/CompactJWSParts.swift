/// The three parts of a token as they came: base64url, not yet decoded.
struct CompactJWSParts {
    let header: ArraySlice<UInt8>
    let payload: ArraySlice<UInt8>
    let signature: ArraySlice<UInt8>
    /// Header, dot and payload (RFC 7515 section 5.1).
    let signingInput: [UInt8]

    init(splitting token: [UInt8]) throws(CompactJWSError) {
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .notThreeParts(count: parts.count) }
        (header, payload, signature) = (parts[0], parts[1], parts[2])
        signingInput = Array(token[..<parts[1].endIndex])
    }

    static func bytes(of text: ArraySlice<UInt8>, part: CompactJWSPart) throws(CompactJWSError) -> [UInt8] {
        do {
            return try Base64URL.decode(text)
        } catch {
            throw .notBase64URL(part, error)
        }
    }

    static func object(
        in text: ArraySlice<UInt8>, part: CompactJWSPart
    ) throws(CompactJWSError) -> [JSONName: JSONValue] {
        let json = try bytes(of: text, part: part)
        let value: JSONValue
        do {
            value = try JSONValue(parsing: json)
        } catch {
            throw .notJSON(part, error)
        }
        guard case .object(let members) = value else { throw .notObject(part) }
        return members
    }
}
