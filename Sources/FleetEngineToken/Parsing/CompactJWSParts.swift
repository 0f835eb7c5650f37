import StrictJSON

/// The three parts of a token as received: base64url, not yet decoded.
package struct CompactJWSParts {
    package let header: ArraySlice<UInt8>
    package let payload: ArraySlice<UInt8>
    package let signature: ArraySlice<UInt8>
    /// Header, dot and payload (RFC 7515 section 5.1).
    package let signingInput: [UInt8]

    /// Throws if there are not two dots.
    package init(splitting token: [UInt8]) throws(CompactJWSError) {
        let (count, first, second) = Self.dots(in: token)
        guard count == 2 else { throw .notThreeParts(count: count + 1) }
        (header, payload, signature) = (token[..<first], token[(first + 1)..<second], token[(second + 1)...])
        signingInput = Array(token[..<second])
    }

    /// The number of dots, and the places of the first and the last.
    private static func dots(in token: [UInt8]) -> (count: Int, first: Int, last: Int) {
        token.withUnsafeBytes { token in
            var dots = (count: 0, first: 0, last: 0)
            func add(_ place: Int) {
                if dots.count == 0 { dots.first = place }
                (dots.count, dots.last) = (dots.count + 1, place)
            }
            let whole = token.count & ~7
            for start in stride(from: 0, to: whole, by: 8) {
                let eight = UInt64(littleEndian: token.loadUnaligned(fromByteOffset: start, as: UInt64.self))
                var places = eight.places(of: UInt8(ascii: "."))
                while places != 0 {
                    add(start + places.trailingZeroBitCount / 8)
                    places &= places - 1
                }
            }
            for place in whole..<token.count where token[place] == UInt8(ascii: ".") { add(place) }
            return dots
        }
    }

    /// Decodes a part.
    package static func bytes(of text: ArraySlice<UInt8>, part: CompactJWSPart) throws(CompactJWSError) -> [UInt8] {
        do { return try Base64URL.decode(text) } catch { throw .notBase64URL(part, error) }
    }

    /// Decodes a part that must be a JSON object.
    package static func object(
        in text: ArraySlice<UInt8>, part: CompactJWSPart
    ) throws(CompactJWSError) -> JSONObject {
        let json = try bytes(of: text, part: part)
        let value: JSONValue
        do { value = try JSONValue(parsing: json) } catch { throw .notJSON(part, error) }
        guard case .object(let members) = value else { throw .notObject(part) }
        return members
    }
}
