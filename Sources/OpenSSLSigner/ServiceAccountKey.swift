import FleetEngineToken
import OpenSSLCrypto

/// A service account's key file (JSON) as Google Cloud makes it. Only `type`, `client_email`, `private_key_id` and
/// `private_key` matter for signing; other members are ignored.
package enum ServiceAccountKey {
    /// A signer with the key in the file's content. `source` is the file's name in error messages. Accounts that Google
    /// Cloud creates by default are refused unless allowed.
    package static func load(
        json: [UInt8], source: String, allowDefaultServiceAccounts: Bool
    ) throws(CredentialError) -> RS256Signer {
        let members = try CredentialMembers(
            parsing: json, source: source, expecting: "a service account's key as Google Cloud makes it")
        return try load(members, allowDefaultServiceAccounts: allowDefaultServiceAccounts)
    }

    /// A signer with the key in these members of a file.
    package static func load(
        _ members: CredentialMembers, allowDefaultServiceAccounts: Bool
    ) throws(CredentialError) -> RS256Signer {
        try checkType(members)
        let email = try clientEmail(members, allowDefaultServiceAccounts)
        let keyID = try privateKeyID(members)
        let pem = try members.text("private_key")
        do {
            return try RS256Signer(account: email, keyID: keyID, privateKey: RSAPrivateKey(pem: Array(pem.utf8)))
        } catch {
            throw members.error("private_key", error.problem)
        }
    }

    private static func checkType(_ members: CredentialMembers) throws(CredentialError) {
        let type = try members.text("type")
        guard type != "service_account" else { return }
        // Only a known type is quoted: a key in the wrong place must not reach a log.
        let known = ["authorized_user", "external_account", "impersonated_service_account"].contains(type)
        let found = known ? "is \"\(type)\"" : "is another"
        throw members.error("type", "\(found); expected exactly \"service_account\"")
    }

    private static func clientEmail(
        _ members: CredentialMembers, _ allowDefaultServiceAccounts: Bool
    ) throws(CredentialError) -> String {
        let email = try members.text("client_email")
        guard ServiceAccountEmail(email) != nil else {
            throw members.error("client_email", "is not a service account's address; expected NAME@DOMAIN")
        }
        if !allowDefaultServiceAccounts, let account = DefaultServiceAccount(email: email) {
            throw members.error("client_email", hazard(of: account))
        }
        return email
    }

    /// Why an account that Google Cloud creates by default is refused, as a predicate.
    package static func hazard(of account: DefaultServiceAccount) -> String {
        """
        is \(account.name), which usually holds the Editor role, for which Fleet Engine ignores the claims that restrict a \
        token; expected an account of its own with one Fleet Engine role (allow_default_service_accounts: true overrides)
        """
    }

    private static func privateKeyID(_ members: CredentialMembers) throws(CredentialError) -> String {
        let keyID = try members.text("private_key_id")
        guard keyID.utf8.count <= 128, keyID.utf8.allSatisfy(isVisible) else {
            throw members.error("private_key_id", "is not a key's id; expected 1 to 128 visible ASCII characters")
        }
        return keyID
    }

    private static func isVisible(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte)
    }
}

/// Why a service account's key file is refused, in one sentence. It holds nothing of the key.
package struct CredentialError: Error, Hashable, Sendable {
    /// The file, as its caller named it.
    package let source: String
    /// The wrong member of the file; nil if the whole file is wrong.
    package let field: String?
    /// What is wrong with it and what was expected.
    package let problem: String

    /// An error about a file, or one of its fields.
    package init(source: String, field: String?, problem: String) {
        (self.source, self.field, self.problem) = (source, field, problem)
    }

    /// One sentence that names the file and the field.
    package var sentence: String {
        field.map { "\(source): \($0) \(problem)" } ?? "\(source): \(problem)"
    }
}
