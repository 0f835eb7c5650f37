import StrictJSON

/// A token's parts.
extension TokenFinding {
    /// The finding that says the error.
    init(_ error: CompactJWSError) {
        self =
            switch error {
            case .notThreeParts(let count): .notThreeParts(count)
            case .notBase64URL(let part, let error): .notBase64URL(part, error)
            case .notJSON(let part, let error): .notJSON(part, error)
            case .notObject(let part):
                TokenFinding(
                    .notObject, .refused, nil, "the \(part.rawValue) is JSON, but not an object",
                    fix: "encode a JSON object")
            }
    }

    private static func notThreeParts(_ count: Int) -> TokenFinding {
        let guess =
            switch count {
            case 1: "; it is no JWT, perhaps an opaque token of another system"
            case 2: "; its signature is cut off"
            case 5: "; it is encrypted (JWE), not signed"
            default: ""
            }
        return TokenFinding(
            .notThreeParts, .refused, nil,
            "the text has \(count) part\(count == 1 ? "" : "s"), divided by dots, and a signed JWT has 3\(guess)",
            fix: count == 2 ? "copy the whole token: header, payload and signature" : giveJWT)
    }

    private static func notBase64URL(_ part: CompactJWSPart, _ error: Base64URLError) -> TokenFinding {
        let (fault, fix): (String, String) =
            switch error {
            case .padding: ("has padding (=)", "leave the = out, as RFC 7515 section 2 says")
            case .standardAlphabet: ("has + or /, of the standard alphabet", "write - for + and _ for /")
            case .foreignCharacter: ("has a character that base64url has not", "copy the token anew, without marks")
            case .cutOff: ("ends within a byte, so a character is missing", "copy the whole token")
            case .strayBits:
                ("ends with bits that belong to no byte, so it was changed or cut", "copy the token as it was signed")
            }
        return TokenFinding(.notBase64URL, .refused, nil, "the \(part.rawValue) \(fault)", fix: fix)
    }

    private static func notJSON(_ part: CompactJWSPart, _ error: JSONError) -> TokenFinding {
        if error.problem == .repeatedName {
            return TokenFinding(
                .repeatedMember, .refused, nil,
                "the \(part.rawValue) has a member twice, and readers differ on which one counts",
                fix: "write each name once")
        }
        return TokenFinding(
            .notJSON, .refused, nil, "the \(part.rawValue) is not JSON: \(error.sentence)",
            fix: "encode the UTF-8 of a JSON object")
    }

    static let signatureMissing = TokenFinding(
        .signatureMissing, .refused, nil, "the signature is empty, so anybody could have written the token",
        fix: "sign it with the service account's key by RS256")

    /// The signature of an RSA key that has not Google's 2048 bits.
    static func signatureLength(_ bytes: Int) -> TokenFinding {
        let isLonger = bytes > 256
        return TokenFinding(
            .signatureLength, isLonger ? .warning : .refused, nil,
            "the signature has \(bytes) bytes; one of the RSA-2048 keys that Google makes has 256",
            fix: isLonger ? "see to it that this key belongs to the account" : "copy the whole token, or sign by RS256")
    }
}
