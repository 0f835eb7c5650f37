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
        token.withUnsafeBytes { token in
            var (count, first, last) = (0, 0, 0)
            var start = 0
            while start < token.count {
                let end = min(start + 8, token.count)
                // Nearly none of the eight bytes at a time holds one.
                let mayHold = end - start < 8 || token.loadUnaligned(fromByteOffset: start, as: UInt64.self).holdsDot
                for index in start..<(mayHold ? end : start) where token[index] == UInt8(ascii: ".") {
                    if count == 0 { first = index }
                    (count, last) = (count + 1, index)
                }
                start = end
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
    ) throws(CompactJWSError) -> JSONObject {
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

extension UInt64 {
    /// Whether one of the eight bytes is a dot: only a byte that does not differ from it borrows when one is taken away.
    fileprivate var holdsDot: Bool {
        let differences = self ^ 0x2E2E_2E2E_2E2E_2E2E
        return (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080 != 0
    }
}
