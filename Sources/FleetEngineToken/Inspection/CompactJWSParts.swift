/// The three parts of a token as they came: base64url, not yet decoded.
struct CompactJWSParts {
    let header: ArraySlice<UInt8>
    let payload: ArraySlice<UInt8>
    let signature: ArraySlice<UInt8>
    /// Header, dot and payload (RFC 7515 section 5.1).
    let signingInput: [UInt8]

    init(splitting token: [UInt8]) throws(CompactJWSError) {
        let (count, first, second) = Self.dots(in: token)
        guard count == 2 else { throw .notThreeParts(count: count + 1) }
        (header, payload, signature) = (token[..<first], token[(first + 1)..<second], token[(second + 1)...])
        signingInput = Array(token[..<second])
    }

    /// How many dots there are, and where the first and the last of them are.
    private static func dots(in token: [UInt8]) -> (count: Int, first: Int, last: Int) {
        token.withUnsafeBufferPointer { token in
            var (count, first, last) = (0, 0, 0)
            for index in 0..<token.count where token[index] == UInt8(ascii: ".") {
                if count == 0 { first = index }
                (count, last) = (count + 1, index)
            }
            return (count, first, last)
        }
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
