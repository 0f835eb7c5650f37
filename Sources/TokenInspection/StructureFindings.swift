import StrictJSON
import FleetEngineToken

/// What can be wrong with the three parts of a token (RFC 7515 sections 2 and 7.1).
struct StructureFindings {
    static let giveJWT =
        "give the JWT that a service account signed for Fleet Engine; it begins with eyJ and has two dots"

    let onePart = FindingRow(
        "not_three_parts",
        "the text has no dots, and a JWT has two: it is not a JWT, but perhaps an opaque token of another system",
        fix: giveJWT)
    let twoParts = FindingRow(
        "not_three_parts", "the text has one dot, and a JWT has two: its signature is cut off",
        fix: "copy the whole token: header, payload and signature")
    let fiveParts = FindingRow(
        "not_three_parts", "the text has four dots: it is an encrypted token (JWE), not a signed one",
        fix: "\(giveJWT); of Auth0, ask for a token with an audience")
    let otherParts = FindingRow("not_three_parts", "the text has {0} dots, and a JWT has two", fix: giveJWT)
    let padding = FindingRow(
        "not_base64url", "the {0} is not base64url: it has padding (=)",
        fix: "remove the =, as RFC 7515 section 2 requires")
    let standardAlphabet = FindingRow(
        "not_base64url", "the {0} is not base64url: it has + or /, of the standard alphabet",
        fix: "write - for + and _ for /")
    let foreignCharacter = FindingRow(
        "not_base64url", "the {0} is not base64url: it has a character that base64url does not have",
        fix: "copy the token again, without other characters")
    let cutOff = FindingRow(
        "not_base64url", "the {0} is not base64url: it ends within a byte, so a character is missing",
        fix: "copy the whole token")
    let strayBits = FindingRow(
        "not_base64url", "the {0} is not base64url: its last character has stray bits, so it was changed or cut off",
        fix: "copy the token as it was signed")
    let notJSON = FindingRow("not_json", "the {0} is not JSON: {1}", fix: "encode the UTF-8 of a JSON object")
    let repeatedMember = FindingRow(
        "repeated_member", "the {0} has a member twice: readers disagree on which one applies",
        fix: "write each name once")
    let notObject = FindingRow("not_object", "the {0} is JSON, but not an object", fix: "encode a JSON object")
    let signatureMissing = FindingRow(
        "signature_missing", "the signature is empty: anyone could have written the token",
        fix: "sign it with the service account's key by RS256")
    let signatureShort = FindingRow(
        "signature_length", "the signature has {0} bytes; expected 256, as from Google's RSA-2048 keys",
        fix: "copy the whole token, or sign by RS256")
    let signatureLong = FindingRow(
        "signature_length", as: .warning, "the signature has {0} bytes; expected 256, as from Google's RSA-2048 keys",
        fix: "make sure that this key belongs to the account")
    let unknownClaim = FindingRow(
        "unknown_claim", as: .note, "the token has the claim {0}, which Fleet Engine does not need",
        fix: "nothing needs to be done")
}

extension StructureFindings {
    /// The finding that says the error.
    func finding(_ error: CompactJWSError) -> TokenFinding {
        switch error {
        case .notThreeParts(1): onePart()
        case .notThreeParts(2): twoParts()
        case .notThreeParts(5): fiveParts()
        case .notThreeParts(let count): otherParts("\(count - 1)")
        case .notBase64URL(let part, let error): row(error)(part.rawValue)
        case .notJSON(let part, let error) where error.problem == .repeatedName: repeatedMember(part.rawValue)
        case .notJSON(let part, let error): notJSON(part.rawValue, error.sentence)
        case .notObject(let part): notObject(part.rawValue)
        }
    }

    private func row(_ error: Base64URLError) -> FindingRow {
        switch error {
        case .padding: padding
        case .standardAlphabet: standardAlphabet
        case .foreignCharacter: foreignCharacter
        case .cutOff: cutOff
        case .strayBits: strayBits
        }
    }
}
