internal import FleetEngineToken

/// A public key of a JWK set that can verify RS256 (RFC 7517 section 4, RFC 7518 section 6.3.1).
public struct JWK: Sendable {
    /// The key's id, `kid`; nil if it has none.
    public let keyID: String?
    /// The key.
    public let publicKey: RSAPublicKey

    /// A key with its id.
    public init(keyID: String?, publicKey: RSAPublicKey) {
        self.keyID = keyID
        self.publicKey = publicKey
    }

    /// The key of a JWK's members; throws why it is of no use here.
    init(_ members: [JSONName: JSONValue]) throws(JWKError) {
        keyID = try Self.keyID(members["kid"])
        guard let type = members["kty"] else { throw .missing("kty") }
        guard type == .string("RSA") else { throw .unlike("kty", "RSA") }
        guard members["use"] ?? .string("sig") == .string("sig") else { throw .unlike("use", "sig") }
        guard members["alg"] ?? .string("RS256") == .string("RS256") else { throw .unlike("alg", "RS256") }
        try Self.checkOperations(members["key_ops"])
        let (modulus, exponent) = (try Self.integer("n", members), try Self.integer("e", members))
        do {
            publicKey = try RSAPublicKey(modulus: modulus, exponent: exponent)
        } catch {
            throw .unfit(error)
        }
    }

    private static func keyID(_ value: JSONValue?) throws(JWKError) -> String? {
        guard let value else { return nil }
        guard case .string(let text) = value else { throw .notText("kid") }
        return text
    }

    private static func checkOperations(_ value: JSONValue?) throws(JWKError) {
        guard let value else { return }
        guard case .array(let operations) = value, operations.contains(.string("verify")) else {
            throw .unlike("key_ops", "verify")
        }
    }

    private static func integer(_ name: JSONName, _ members: [JSONName: JSONValue]) throws(JWKError) -> [UInt8] {
        guard let value = members[name] else { throw .missing(name.text) }
        guard case .string(let text) = value, !text.isEmpty, let bytes = try? Base64URL.decode(text.utf8) else {
            throw .notText(name.text)
        }
        return bytes
    }
}

/// Why a key of a JWK set is passed over.
enum JWKError: Error {
    case missing(String)
    case unlike(String, String)
    case notText(String)
    case unfit(PublicKeyError)

    /// A predicate of the key.
    var problem: String {
        switch self {
        case .missing(let name): "has no \(name)"
        case .unlike(let name, let expected): "has \(name) other than \(expected)"
        case .notText(let name): "has \(name) in another form than RFC 7518 asks for"
        case .unfit(let error): error.problem
        }
    }
}
