import StrictJSON

/// The header (CONTRACT.md section 1).
extension TokenFinding {
    private static let signWithRS256 = "sign with the service account's RSA key, and set alg to \"RS256\""

    static let algorithmMissing = TokenFinding(
        .algorithmMissing, .refused, "header.alg",
        "the header does not say by which algorithm the token is signed (alg)",
        fix: signWithRS256)

    static let algorithmNone = TokenFinding(
        .algorithmNone, .refused, "header.alg", "alg is \"none\": the token is not signed", fix: signWithRS256)

    static func algorithmNotRS256(_ value: JSONValue) -> TokenFinding {
        var hint = ""
        if case .string(let text) = value, text.hasPrefix("HS") { hint = ", which signs with a shared secret" }
        return TokenFinding(
            .algorithmNotRS256, .refused, "header.alg", "alg is \(Quoted.value(value))\(hint), not \"RS256\"",
            fix: signWithRS256)
    }

    static func typeNotJWT(_ value: JSONValue?) -> TokenFinding {
        TokenFinding(
            .typeNotJWT, .warning, "header.typ",
            value.map { "typ is \(Quoted.value($0)), not \"JWT\"" } ?? "the header has no typ",
            fix: "set typ to \"JWT\"")
    }

    static func keyIDMissing(_ value: JSONValue?) -> TokenFinding {
        let problem =
            switch value {
            case nil: "the header has no kid, by which Google finds the key that verifies the token"
            case .string: "kid is empty, and Google finds the key that verifies the token by it"
            case .some(let value): "kid is \(Quoted.value(value)), not a string"
            }
        return TokenFinding(
            .keyIDMissing, .refused, "header.kid", problem,
            fix: "set kid to the private_key_id of the key file, or to the keyId in the answer of signJwt")
    }

    static let criticalExtension = TokenFinding(
        .criticalExtension, .refused, "header.crit",
        "crit asks the reader to understand extensions, or to refuse the token (RFC 7515 section 4.1.11)",
        fix: "leave crit out")

    static func unknownHeaderMember(_ name: JSONName) -> TokenFinding {
        TokenFinding(
            .unknownClaim, .note, "header.\(JSONText.bare(name))",
            "the header has \(Quoted.text(name.text)), which Fleet Engine does not ask for",
            fix: "nothing needs to be done")
    }
}
