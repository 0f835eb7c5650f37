import StrictJSON
import FleetEngineToken

/// What can be wrong with a header (FleetEngineContract.md, "The token").
struct HeaderFindings {
    private static let useRS256 = "sign with the service account's RSA key, and set alg to \"RS256\""
    private static let setKeyID =
        "set kid to the private_key_id of the key file, or to the keyId in the answer of signJwt"

    let algorithmMissing = FindingRow(
        "alg_missing", at: "header.alg", "alg is missing: the header does not name the signature's algorithm",
        fix: useRS256)
    let algorithmNone = FindingRow(
        "alg_none", at: "header.alg", "alg is \"none\": the token is not signed", fix: useRS256)
    let algorithmShared = FindingRow(
        "alg_not_rs256", at: "header.alg", "alg is {0}, which signs with a shared secret; expected \"RS256\"",
        fix: useRS256)
    let algorithmOther = FindingRow("alg_not_rs256", at: "header.alg", "alg is {0}; expected \"RS256\"", fix: useRS256)
    let typeMissing = FindingRow(
        "typ_not_jwt", as: .warning, at: "header.typ", "typ is missing from the header", fix: "set typ to \"JWT\"")
    let typeOther = FindingRow(
        "typ_not_jwt", as: .warning, at: "header.typ", "typ is {0}; expected \"JWT\"", fix: "set typ to \"JWT\"")
    let keyIDMissing = FindingRow(
        "kid_missing", at: "header.kid", "kid is missing: Google finds the key that verifies the token by it",
        fix: setKeyID)
    let keyIDEmpty = FindingRow(
        "kid_missing", at: "header.kid", "kid is empty: Google finds the key that verifies the token by it",
        fix: setKeyID)
    let keyIDNotString = FindingRow("kid_missing", at: "header.kid", "kid is {0}; expected a string", fix: setKeyID)
    let criticalExtension = FindingRow(
        "crit_unknown", at: "header.crit",
        "crit names extensions: a reader must understand them or refuse the token (RFC 7515 section 4.1.11)",
        fix: "remove crit")
    let unknownMember = FindingRow(
        "unknown_claim", as: .note, "the header has {0}, which Fleet Engine does not need",
        fix: "nothing needs to be done")
}

/// Checks a header.
enum HeaderInspection {
    private static let table = HeaderFindings()
    private static let known: Set<JSONName> = ["alg", "typ", "kid", "crit"]

    static func findings(_ header: JSONObject) -> [TokenFinding] {
        let critical = header["crit"].map { _ in table.criticalExtension() }
        return [algorithm(header["alg"]), type(header["typ"]), keyID(header["kid"]), critical].compactMap { $0 }
            + JSONText.ordered(header).map(\.name).filter { !known.contains($0) }.map { name in
                table.unknownMember(Quoted.text(name.text), about: "header.\(JSONText.bare(name))")
            }
    }

    private static func algorithm(_ value: JSONValue?) -> TokenFinding? {
        switch value {
        case nil: table.algorithmMissing()
        case .string("RS256"): nil
        case .string(let text) where text.lowercased() == "none": table.algorithmNone()
        case .string(let text) where text.hasPrefix("HS"): table.algorithmShared(Quoted.text(text))
        case .some(let value): table.algorithmOther(Quoted.value(value))
        }
    }

    private static func type(_ value: JSONValue?) -> TokenFinding? {
        guard let value else { return table.typeMissing() }
        return value == .string("JWT") ? nil : table.typeOther(Quoted.value(value))
    }

    private static func keyID(_ value: JSONValue?) -> TokenFinding? {
        switch value {
        case nil: table.keyIDMissing()
        case .string(let text): text.isEmpty ? table.keyIDEmpty() : nil
        case .some(let value): table.keyIDNotString(Quoted.value(value))
        }
    }
}
