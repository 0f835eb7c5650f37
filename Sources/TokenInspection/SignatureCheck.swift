import StrictJSON
import FleetEngineToken
import OpenSSLCrypto

/// Public keys by which a token may be verified, and the file that they are from.
package struct KeyFile: Sendable {
    /// What the file is and its name, such as `the JWK set in keys.json`.
    let place: String
    /// Whether the file is a JWK set, whose keys are chosen by `kid`.
    let isSet: Bool
    let keys: [JWK]
    /// The account whose key the file holds; nil if the file does not name it.
    let account: String?
    /// One sentence for each key of a set that cannot be used.
    let skipped: [String]
    /// Whether another key than these may have signed a token rightly.
    let isPartial: Bool

    package init(
        place: String, isSet: Bool, keys: [JWK], account: String?, skipped: [String], isPartial: Bool = false
    ) {
        (self.place, self.isSet, self.keys) = (place, isSet, keys)
        (self.account, self.skipped, self.isPartial) = (account, skipped, isPartial)
    }
}

/// What can differ between a token and the key file that it is verified by.
struct KeyFindings {
    let keyIDSigned = FindingRow(
        "kid_unlike_key", at: "header.kid",
        "kid is not {0}, the private_key_id of the key file: Google looks for another key",
        fix: "set kid to the file's private_key_id")
    let keyIDOther = FindingRow(
        "kid_unlike_key", as: .note, at: "header.kid", "kid is not {0}, the private_key_id of the key file",
        fix: "give the key file that signed the token")
    let issuerSigned = FindingRow(
        "iss_unlike_key", at: "iss",
        "iss is not {0}, the client_email of the key file: Google looks for another account's key",
        fix: "set iss and sub to the file's client_email")
    let issuerOther = FindingRow(
        "iss_unlike_key", as: .note, at: "iss", "iss is not {0}, the client_email of the key file",
        fix: "give the key file that signed the token")
}

/// Whether a token's signature is right.
package struct SignatureCheck: Sendable {
    package enum Status: String, Sendable {
        case verified
        case wrong
        case notChecked = "not_checked"
    }

    package let status: Status
    /// Which key verified it, or why none did.
    package let sentence: String
    /// Where the token and the key file differ.
    private(set) var findings: [TokenFinding] = []

    private static let table = KeyFindings()

    /// Verifies the signature by the keys, if there are any.
    init(of token: InspectedToken, by file: KeyFile?) {
        guard token.callersIssuer == nil else {
            self.init(.notChecked, "token-provider explain verifies it by the issuer's keys")
            return
        }
        guard let signed = token.signed else {
            self.init(.notChecked, "the token has no signature to check")
            return
        }
        guard let file else {
            self.init(.notChecked, Self.whereToFindKeys(token.issuer))
            return
        }
        guard token.header?["alg"] == .string("RS256") else {
            self.init(.notChecked, "alg is not RS256, the only algorithm that is checked")
            return
        }
        let choice = KeyChoice(for: token.keyID, in: file)
        let isRight = choice.keys.contains { $0.verify(signed.signature, of: signed.signingInput, by: .rs256) }
        guard isRight || choice.isDecisive else {
            self.init(.notChecked, "\(choice.wrong); token-provider inspect --key FILE verifies it by other keys")
            return
        }
        self.init(isRight ? .verified : .wrong, isRight ? choice.verified : choice.wrong)
        compare(token, file)
    }

    private init(_ status: Status, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    private static func whereToFindKeys(_ issuer: String?) -> String {
        let isAddress = issuer?.hasSuffix(".gserviceaccount.com") == true && issuer?.allSatisfy(isPlain) == true
        let account = isAddress ? issuer ?? "" : "ACCOUNT_EMAIL"
        return "no key was given; save the account's keys, which Google publishes at "
            + "https://www.googleapis.com/service_accounts/v1/jwk/\(account), and name the file with --key FILE"
    }

    /// Whether a character of an e-mail address has no other meaning in a URL or a shell.
    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "@.-".contains(character))
    }

    /// A service account's key file names its account and the key's id.
    private mutating func compare(_ token: InspectedToken, _ file: KeyFile) {
        guard let account = file.account, let keyID = file.keys.first?.keyID else { return }
        let isSigner = status == .verified
        if let found = token.keyID, !found.hasSameBytes(as: keyID) {
            findings.append((isSigner ? Self.table.keyIDSigned : Self.table.keyIDOther)(Quoted.text(keyID)))
        }
        if let found = token.issuer, !found.hasSameBytes(as: account) {
            findings.append((isSigner ? Self.table.issuerSigned : Self.table.issuerOther)(Quoted.text(account)))
        }
    }
}

/// The keys of a file that may have signed a token.
private struct KeyChoice {
    let keys: [VerificationKey]
    /// The sentence if one of them verifies the token.
    let verified: String
    /// The sentence if none does.
    let wrong: String
    /// Whether the signature is wrong if none does.
    let isDecisive: Bool

    init(for keyID: String?, in file: KeyFile) {
        let skipped = file.skipped.map { "; \($0)" }.joined()
        guard file.isSet else {
            let wrong = "\(file.place) did not sign it, or the token was changed"
            self.init(file.keys, "by \(file.place)", wrong, isDecisive: true)
            return
        }
        guard let keyID, !keyID.isEmpty else {
            let all = "of the \(file.keys.count) keys of \(file.place)"
            let reason = "all tried because the token has no kid\(skipped)"
            let wrong = "none \(all) signed it, \(reason)"
            self.init(file.keys, "by one \(all), \(reason)", wrong, isDecisive: !file.isPartial)
            return
        }
        self.init(keyID, of: file, skipped)
    }

    /// The keys with the id, and those without any.
    private init(_ keyID: String, of file: KeyFile, _ skipped: String) {
        let id = JSONText.compact(.string(keyID))
        let chosen = file.keys.filter { $0.keyID.map { $0.hasSameBytes(as: keyID) } ?? true }
        let fault =
            chosen.isEmpty
            ? "\(file.place) has no key \(id)"
            : "the key \(id) of \(file.place) did not sign it, or the token was changed"
        let isDecisive = !chosen.isEmpty || !file.isPartial
        self.init(chosen, "by the key \(id) of \(file.place)\(skipped)", fault + skipped, isDecisive: isDecisive)
    }

    private init(_ keys: [JWK], _ verified: String, _ wrong: String, isDecisive: Bool) {
        self.keys = keys.map(\.key)
        (self.verified, self.wrong, self.isDecisive) = (verified, wrong, isDecisive)
    }
}
