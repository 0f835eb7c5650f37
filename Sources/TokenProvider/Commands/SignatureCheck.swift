import OpenSSLSigner
import FleetEngineToken
import OpenSSLCrypto
import StrictJSON

/// Keys and the file they came from.
struct NamedKeys {
    let file: String
    let keys: VerificationKeys
}

/// Whether a token's signature is right.
struct SignatureCheck {
    enum Status: String {
        case verified
        case wrong
        case notChecked = "not_checked"
    }

    let status: Status
    /// By which key, or why not.
    let sentence: String
    /// What the token says of its key, where that is not what the key file says.
    private(set) var findings: [TokenFinding] = []

    /// Verifies the signature by the keys, if there are any.
    init(of inspection: TokenInspection, by named: NamedKeys?) {
        guard let signed = inspection.signed else {
            self.init(.notChecked, "there is no signature that could be checked")
            return
        }
        guard let named else {
            self.init(.notChecked, Self.whereToFindKeys(inspection.issuer))
            return
        }
        guard inspection.header?["alg"] == .string("RS256") else {
            self.init(.notChecked, "the token does not say that it is signed by RS256")
            return
        }
        let choice = KeyChoice(for: inspection.keyID, in: named)
        let isRight = choice.keys.contains { $0.verify(signed.signature, of: signed.signingInput, by: .rs256) }
        self.init(isRight ? .verified : .wrong, isRight ? choice.verified : choice.wrong)
        compare(inspection, named.keys)
    }

    private init(_ status: Status, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    private static func whereToFindKeys(_ issuer: String?) -> String {
        let isAddress = issuer?.hasSuffix(".gserviceaccount.com") == true && issuer?.allSatisfy(isPlain) == true
        let account = isAddress ? issuer ?? "" : "ACCOUNT_EMAIL"
        return "no key was given; Google publishes the account's as a JWK set, "
            + "https://www.googleapis.com/service_accounts/v1/jwk/\(account), to be saved and given as --key FILE"
    }

    /// Whether a character of an e-mail address means nothing else in a URL or a shell.
    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "@.-".contains(character))
    }

    /// A key file knows its account and the key's id.
    private mutating func compare(_ inspection: TokenInspection, _ keys: VerificationKeys) {
        guard let account = keys.account, let keyID = keys.keys.first?.keyID else { return }
        let isVerified = status == .verified
        if let found = inspection.keyID, !found.hasSameBytes(as: keyID) {
            findings.append(.keyIDUnlikeKey(keyID, isVerified: isVerified))
        }
        if let found = inspection.issuer, !found.hasSameBytes(as: account) {
            findings.append(.issuerUnlikeKey(account, isVerified: isVerified))
        }
    }
}

/// The keys of a file by which a token may be signed.
private struct KeyChoice {
    let keys: [VerificationKey]
    /// What is said where one of them verifies the token.
    let verified: String
    /// What is said where none does.
    let wrong: String

    init(for keyID: String?, in named: NamedKeys) {
        let place = "the \(named.keys.form.rawValue) in \(named.file)"
        let skipped = named.keys.skipped.map { "; \($0)" }.joined()
        guard named.keys.form == .keySet else {
            self.init(named.keys.keys, "by \(place)", "\(place) did not make it, or the token was changed")
            return
        }
        guard let keyID, !keyID.isEmpty else {
            let all = "of the \(named.keys.keys.count) keys of \(place)"
            let reason = "all tried for want of a kid\(skipped)"
            self.init(named.keys.keys, "by one \(all), \(reason)", "none \(all) made it, \(reason)")
            return
        }
        self.init(keyID, of: named.keys.keys, place, skipped)
    }

    /// The keys with the id, and those without any.
    private init(_ keyID: String, of all: [JWK], _ place: String, _ skipped: String) {
        let id = JSONText.compact(.string(keyID))
        let chosen = all.filter { $0.keyID.map { $0.hasSameBytes(as: keyID) } ?? true }
        let fault =
            chosen.isEmpty
            ? "\(place) has no key \(id)" : "the key \(id) of \(place) did not make it, or the token was changed"
        self.init(chosen, "by the key \(id) of \(place)\(skipped)", fault + skipped)
    }

    private init(_ keys: [JWK], _ verified: String, _ wrong: String) {
        self.keys = keys.map(\.key)
        self.verified = verified
        self.wrong = wrong
    }
}
