public import FleetEngineToken

/// Public keys as JSON (RFC 7517 section 5): those for RS256; others are passed over, as the RFC wants it.
public struct JWKSet: Sendable {
    /// The keys that can verify RS256, in the order of the set.
    public let keys: [JWK]
    /// One sentence for each key that is passed over; keys are counted from 1.
    public let skipped: [String]

    /// A set, or a JWK by itself; throws where the JSON is neither.
    public init(parsing json: [UInt8]) throws(JWKSetError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: json)
        } catch {
            throw .notJSON(error)
        }
        try self.init(value)
    }

    /// The set in JSON that was read; throws where it is neither a set nor a JWK.
    public init(_ json: JSONValue) throws(JWKSetError) {
        var keys: [JWK] = []
        var skipped: [String] = []
        for (index, members) in try Self.elements(json).enumerated() {
            do throws(JWKError) {
                guard let members else { throw .missing("members") }
                keys.append(try JWK(members))
            } catch {
                skipped.append("key \(index + 1) of the set \(error.problem)")
            }
        }
        (self.keys, self.skipped) = (keys, skipped)
    }

    /// The members of each key; nil for an element that is no object.
    private static func elements(_ json: JSONValue) throws(JWKSetError) -> [[JSONName: JSONValue]?] {
        guard case .object(let members) = json else { throw .notKeySet }
        if members["kty"] != nil { return [members] }
        guard case .array(let elements) = members["keys"] else { throw .notKeySet }
        return elements.map { element in
            guard case .object(let members) = element else { return nil }
            return members
        }
    }

    /// The set of these keys as JSON; throws where OpenSSL does not tell a key's integers.
    public static func render(_ keys: [(keyID: String, publicKey: RSAPublicKey)]) throws(PublicKeyError) -> [UInt8] {
        var elements: [(keyID: String, modulus: [UInt8], exponent: [UInt8])] = []
        for (keyID, key) in keys { elements.append((keyID, try key.modulus(), try key.exponent())) }
        var json = JSONWriter()
        json.beginObject()
        json.key("keys")
        json.array { json in
            for (keyID, modulus, exponent) in elements {
                json.object { key in
                    key.member("kty", "RSA")
                    key.member("use", "sig")
                    key.member("alg", "RS256")
                    key.member("kid", keyID)
                    key.member("n", String(decoding: Base64URL.encode(modulus), as: UTF8.self))
                    key.member("e", String(decoding: Base64URL.encode(exponent), as: UTF8.self))
                }
            }
        }
        json.endObject()
        return json.bytes
    }
}

/// Why JSON is no JWK set.
public enum JWKSetError: Error, Hashable, Sendable {
    /// It is not JSON, or repeats a member.
    case notJSON(JSONError)
    /// It has neither an array `keys` nor a `kty`.
    case notKeySet

    /// One sentence: what was wrong and what was expected.
    public var sentence: String {
        switch self {
        case .notJSON(let error): error.sentence
        case .notKeySet: "the JSON is no key; expected a JWK set, an object with the array \"keys\""
        }
    }
}
