import OpenSSLCrypto
import StrictJSON

/// The public keys in a file of any supported form, for verifying RS256 tokens; of a private key its public half.
package struct VerificationKeys: Sendable {
    /// What the file holds.
    package enum Form: String, Sendable {
        /// A PEM public key.
        case publicKey = "public key"
        /// A PEM certificate.
        case certificate
        /// A PEM private key.
        case privateKey = "private key"
        /// A service account's key file (JSON).
        case serviceAccountKey = "service-account key"
        /// A JWK set, or a JWK (RFC 7517).
        case keySet = "JWK set"
    }

    /// What the file holds.
    package let form: Form
    /// At least one key, each with its id if the file has one.
    package let keys: [JWK]
    /// The key's service account, if the file is a service account's key file; otherwise nil.
    package let account: String?
    /// One sentence for each key of a set that cannot verify RS256.
    package let skipped: [String]

    /// Reads a file's content. `source` is the file's name in error messages.
    package init(content: [UInt8], source: String) throws(CredentialError) {
        if let fault = TextFault(in: content) {
            throw CredentialError(
                source: source, field: nil,
                problem: "the file \(fault.problem(expecting: "a key as PEM, a JWK set or a service account's key"))")
        }
        let isJSON = content.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
        guard isJSON else {
            try self.init(pem: content, source)
            return
        }
        let json: JSONValue
        do { json = try JSONValue(parsing: content) } catch {
            throw CredentialError(source: source, field: nil, problem: "is not a key: \(error.sentence)")
        }
        if case .object(let members) = json, members["kty"] == nil, members["keys"] == nil {
            try self.init(serviceAccountKey: content, source)
        } else {
            try self.init(keySet: json, source)
        }
    }

    private init(_ form: Form, _ keys: [JWK], account: String? = nil, skipped: [String] = []) {
        (self.form, self.keys, self.account, self.skipped) = (form, keys, account, skipped)
    }

    private init(pem: [UInt8], _ source: String) throws(CredentialError) {
        let label = (try? PEMFrame(pem))?.label ?? ""
        let form: Form =
            label.hasSuffix("PRIVATE KEY") ? .privateKey : label == "CERTIFICATE" ? .certificate : .publicKey
        do {
            let key = try form == .privateKey ? RSAPrivateKey(pem: pem).publicKey() : VerificationKey(rsaPEM: pem)
            self.init(form, [JWK(keyID: nil, key: key)])
        } catch {
            // The description of either error is its sentence.
            throw CredentialError(source: source, field: nil, problem: "\(error)")
        }
    }

    private init(serviceAccountKey json: [UInt8], _ source: String) throws(CredentialError) {
        let signer = try ServiceAccountKey.load(json: json, source: source, allowDefaultServiceAccounts: true)
        self.init(.serviceAccountKey, [JWK(keyID: signer.keyID, key: signer.publicKey)], account: signer.account)
    }

    private init(keySet json: JSONValue, _ source: String) throws(CredentialError) {
        let set: JWKSet
        do { set = try JWKSet(json, for: [.rs256]) } catch {
            throw CredentialError(source: source, field: nil, problem: error.sentence)
        }
        guard !set.keys.isEmpty else {
            let reasons = set.skipped.isEmpty ? "it is empty" : set.skipped.joined(separator: "; ")
            throw CredentialError(
                source: source, field: nil, problem: "the JWK set has no key that can verify RS256: \(reasons)")
        }
        self.init(.keySet, set.keys, skipped: set.skipped)
    }
}
