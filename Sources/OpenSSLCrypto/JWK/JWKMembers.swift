import StrictJSON

/// The members of a JWK (RFC 7517 section 4), each parsed when it is needed.
package struct JWKMembers {
    /// Members of private keys (RFC 7518 sections 6.2.2 and 6.3.2, RFC 8037 section 2).
    private static let privateNames: [JSONName] = ["d", "p", "q", "dp", "dq", "qi", "oth"]

    private let members: JSONObject

    init(_ members: JSONObject) {
        self.members = members
    }

    /// A member that says something: providers also write what a key lacks as null, or as an empty text or list.
    private func value(_ name: JSONName) -> JSONValue? {
        switch members[name] {
        case nil, .null: nil
        case .string(let text) where text.isEmpty: nil
        case .array(let elements) where elements.isEmpty: nil
        case let value: value
        }
    }

    /// The name of a member that only a private key has; nil if there is none. Anyone who could read it can sign.
    var privateName: String? { Self.privateNames.first { value($0) != nil }?.text }

    /// The text of `kid`, or of the integer that some providers write instead; nil if there is none.
    func keyID() throws(JWKError) -> String? {
        if case .integer(let number) = members["kid"] { return "\(number)" }
        return try text("kid")
    }

    /// Whether `key_ops`, if it is there, holds `verify` (RFC 7517 section 4.3).
    var allowsVerifying: Bool {
        guard let value = value("key_ops") else { return true }
        guard case .array(let operations) = value else { return false }
        return operations.contains(.string("verify"))
    }

    /// A member's text; nil if the member is missing.
    func text(_ name: JSONName) throws(JWKError) -> String? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value else { throw .otherForm(name.text) }
        return text
    }

    /// The choice with exactly the member's spelling; nil if the member is missing.
    func choice<Choice>(
        _ name: JSONName, among choices: [Choice], spelled spelling: (Choice) -> String
    ) throws(JWKError) -> Choice? {
        guard let value = value(name) else { return nil }
        guard let choice = choices.first(where: { value == .string(spelling($0)) }) else {
            throw .unlike(name.text, choices.map(spelling))
        }
        return choice
    }

    /// The only issuer of a key in a shared set; nil if there is none. One that cannot be read must not count as none.
    func issuer() throws(JWKError) -> String? {
        switch members["issuer"] {
        case nil, .null: return nil
        case .string(let name): return name
        default: throw .unlike("issuer", ["a text"])
        }
    }

    /// The type named by `kty` and, except for RSA, `crv`, which a certificate can replace.
    func keyType(among types: [KeyType], or certified: KeyType?) throws(JWKError) -> KeyType {
        guard let type = try choice("kty", among: types, spelled: \.name) else { throw .missing("kty") }
        let curves = types.filter { $0.name == type.name }.compactMap(\.curve)
        guard !curves.isEmpty else { return type }
        guard let curve = try choice("crv", among: curves, spelled: \.rawValue) ?? certified?.curve else {
            throw .missing("crv")
        }
        return .point(curve)
    }

    /// The key in the members for its type.
    func key(_ type: KeyType) throws(JWKError) -> VerificationKey {
        var values: [[UInt8]] = []
        for name in type.memberNames { values.append(try bytes(name)) }
        do {
            guard let curve = type.curve else { return try VerificationKey(modulus: values[0], exponent: values[1]) }
            return try VerificationKey(curve, coordinates: values)
        } catch {
            throw .unfit(error)
        }
    }

    /// The key of the first certificate of `x5c` (RFC 7517 section 4.7), if it is nowhere else; nil without one.
    func certifiedKey() throws(JWKError) -> VerificationKey? {
        guard value("n") == nil, value("x") == nil, let chain = value("x5c") else { return nil }
        guard let text = chain.texts?.first else { throw .otherForm("x5c") }
        do {
            return try VerificationKey(pem: Self.certificate(text))
        } catch {
            throw .unfit(error)
        }
    }

    /// The PEM text of a certificate in base64, in lines as OpenSSL reads them.
    private static func certificate(_ base64: String) -> [UInt8] {
        var pem = Array("-----BEGIN CERTIFICATE-----\n".utf8)
        var rest = Array(base64.utf8)[...]
        while !rest.isEmpty {
            pem += rest.prefix(64) + [UInt8(ascii: "\n")]
            rest = rest.dropFirst(64)
        }
        return pem + Array("-----END CERTIFICATE-----\n".utf8)
    }

    /// A member's bytes in base64url (RFC 7518 section 2).
    private func bytes(_ name: JSONName) throws(JWKError) -> [UInt8] {
        guard let text = try text(name) else { throw .missing(name.text) }
        guard let bytes = try? Base64URL.decode(text.utf8) else { throw .otherForm(name.text) }
        return bytes
    }
}

extension KeyType {
    /// The members that make a public key.
    fileprivate var memberNames: [JSONName] {
        switch self {
        case .rsa: ["n", "e"]
        case .point(.p256), .point(.p384): ["x", "y"]
        case .point(.ed25519): ["x"]
        }
    }
}
