import StrictJSON

/// A JSON Web Token in JWS compact serialization (RFC 7515 section 7.1), parsed strictly. Its algorithm, claims and
/// signature are not checked: code that trusts it must do that, including `crit` (section 4.1.11).
package struct CompactJWS: Sendable {
    /// The JOSE header as received: base64url.
    package let encodedHeader: ArraySlice<UInt8>
    /// The JOSE header's members.
    package let header: JSONObject
    package let claims: JSONObject
    /// The signed bytes: header, dot and payload as received, ASCII.
    package let signingInput: [UInt8]
    /// The signature, decoded; empty in an unsecured token.
    package let signature: [UInt8]

    /// Parses a token. Throws the first fault. If `known` returns the members of an encoded header, it is not parsed again.
    package init(
        parsing token: [UInt8], knowing known: (ArraySlice<UInt8>) -> JSONObject? = { _ in nil }
    ) throws(CompactJWSError) {
        let parts = try CompactJWSParts(splitting: token)
        encodedHeader = parts.header
        header =
            if let known = known(parts.header) { known } else {
                try CompactJWSParts.object(in: parts.header, part: .header)
            }
        claims = try CompactJWSParts.object(in: parts.payload, part: .payload)
        signature = try CompactJWSParts.bytes(of: parts.signature, part: .signature)
        signingInput = parts.signingInput
    }
}

/// A part of a token.
package enum CompactJWSPart: String, Hashable, Sendable {
    case header
    case payload
    case signature
}

/// Why text is not a token.
package enum CompactJWSError: Error, Hashable, Sendable {
    /// It does not consist of three parts with dots between them.
    case notThreeParts(count: Int)
    /// A part is not base64url without padding.
    case notBase64URL(CompactJWSPart, Base64URLError)
    /// A part is not JSON, or repeats a member (RFC 7515 section 4, RFC 7519 section 4).
    case notJSON(CompactJWSPart, JSONError)
    /// A part is JSON, but not an object.
    case notObject(CompactJWSPart)
}
