import StrictJSON

/// Public keys as JSON (RFC 7517 section 5) or in PEM. Keys that cannot verify are skipped, as the RFC requires.
package struct JWKSet: Sendable {
    /// Further keys are skipped. No issuer has so many, and each key costs time whenever the set is fetched.
    package static let maxKeys = 100
    /// Further keys with the same `kid` are skipped: all that fit a token's `alg` are tried.
    package static let maxNamesakes = 8

    /// The `use` of keys for signatures (RFC 7517 section 4.2), unless they lack it.
    package static let usualUse = "sig"

    /// The keys that can verify, in the order of the set, each once. Several may have the same `kid` (RFC 7517 section 4.5).
    package let keys: [JWK]
    /// One sentence for each skipped key, and one for all that are too many; keys are counted from 1.
    package let skipped: [String]

    /// Parses a set, a single JWK, or certificates or public keys in PEM: in an object by their ids, as Google publishes them,
    /// or one after another without ids. Throws if the text is none of these. Of a set for several uses, such as a SPIFFE
    /// bundle, JWKs of other uses than this one are left out.
    package init(parsing text: [UInt8], use: String = usualUse) throws(JWKSetError) {
        let value: JSONValue
        var faults: [Int: JSONError] = [:]
        do {
            value = try JSONValue(parsing: text, refusingElementsOf: "keys", into: &faults)
        } catch {
            guard text.starts(with: Element.pemBegin.utf8) else { throw .notJSON(error) }
            let blocks = String(decoding: text, as: UTF8.self).split(separator: Element.pemBegin)
            self.init(blocks.map { .pem(Element.pemBegin + $0, nil) }, for: JWSAlgorithm.allCases, use)
            return
        }
        let elements = try Self.elements(value).enumerated().map {
            faults[$0.offset].map(Element.refused) ?? $0.element
        }
        self.init(elements, for: JWSAlgorithm.allCases, use)
    }

    /// The keys for one of these algorithms in parsed JSON. Throws if it has no such form.
    package init(_ json: JSONValue, for algorithms: [JWSAlgorithm]) throws(JWKSetError) {
        self.init(try Self.elements(json), for: algorithms, Self.usualUse)
    }

    private init(_ elements: [Element], for algorithms: [JWSAlgorithm], _ use: String) {
        var keys: [JWK] = []
        var skipped: [String] = []
        // Places count the keys of other uses too, so that the publisher finds the key.
        let own = elements.enumerated().filter { use == Self.usualUse || $0.element.use ?? use == use }
        for (index, element) in own.prefix(Self.maxKeys) {
            do throws(JWKError) {
                let key = try element.key(for: algorithms, use)
                let namesakes = keys.filter { $0.keyID.map { JSONName($0) } == key.keyID.map { JSONName($0) } }
                guard !namesakes.contains(where: { $0.isSame(as: key) }) else { continue }
                guard key.keyID == nil || namesakes.count <= Self.maxNamesakes else {
                    throw .repeatedKeyID(namesakes: namesakes.count)
                }
                keys.append(key)
            } catch {
                skipped.append("key \(index + 1) of the set \(error.problem)")
            }
        }
        if let (index, _) = own.dropFirst(Self.maxKeys).first {
            skipped.append(
                "key \(index + 1) of the set and all after it are skipped; expected at most \(Self.maxKeys) keys")
        }
        (self.keys, self.skipped) = (keys, skipped)
    }

    private static func elements(_ json: JSONValue) throws(JWKSetError) -> [Element] {
        guard case .object(let members) = json else { throw .notKeySet }
        guard members["kty"] == nil || members["keys"] == nil else { throw .notKeySet }
        if members["kty"] != nil { return [.jwk(json)] }
        if case .array(let elements) = members["keys"] { return elements.map(Element.jwk) }
        guard members.contains(where: { $0.value.text?.hasPrefix(Element.pemBegin) ?? false }) else { throw .notKeySet }
        return members.map { .pem($0.value.text ?? "", $0.name.text) }
    }

    /// One set with the RSA keys of several that were rendered here or fetched; a set that cannot be read is left out.
    package static func joined(_ sets: [[UInt8]]) -> [UInt8] {
        guard sets.count != 1 else { return sets[0] }
        let keys = sets.flatMap { (try? JWKSet(parsing: $0).keys) ?? [] }
        return (try? render(keys.compactMap { key in key.keyID.map { ($0, key.key) } })) ?? sets[0]
    }

    /// The set of these RSA keys as JSON. Throws if OpenSSL cannot return a key's integers.
    package static func render(_ keys: [(keyID: String, publicKey: VerificationKey)]) throws(PublicKeyError) -> [UInt8]
    {
        var elements: [(keyID: String, modulus: [UInt8], exponent: [UInt8])] = []
        for (keyID, key) in keys { elements.append((keyID, try key.modulus(), try key.exponent())) }
        return JSONWriter.object { json in
            json.member("keys", elements) { key, element in
                key.member("kty", "RSA")
                key.member("use", "sig")
                key.member("alg", "RS256")
                key.member("kid", element.keyID)
                key.member("n", String(decoding: Base64URL.encode(element.modulus), as: UTF8.self))
                key.member("e", String(decoding: Base64URL.encode(element.exponent), as: UTF8.self))
            }
        }
    }
}

extension JWKSet {
    /// A key as it is published.
    private enum Element {
        case jwk(JSONValue)
        case pem(String, _ keyID: String?)
        case refused(JSONError)

        static let pemBegin = "-----BEGIN "

        /// Nil if it does not say.
        var use: String? { if case .jwk(let json) = self { json["use"]?.text } else { nil } }

        func key(for algorithms: [JWSAlgorithm], _ use: String) throws(JWKError) -> JWK {
            switch self {
            case .jwk(.object(let members)): try JWK(JWKMembers(members), for: algorithms, use: use)
            case .jwk: throw .missing("members")
            case .pem(let text, let keyID): try JWK(pem: text, keyID: keyID, for: algorithms)
            case .refused(let error): throw .refused(error)
            }
        }
    }
}

/// Why JSON is not a JWK set.
package enum JWKSetError: Error, Hashable, Sendable {
    /// It is not JSON, or it repeats a member outside its keys.
    case notJSON(JSONError)
    /// It has neither an array `keys` nor a `kty`, or both.
    case notKeySet

    /// One sentence: what was wrong and what was expected.
    package var sentence: String {
        switch self {
        case .notJSON(let error): error.sentence
        case .notKeySet: "the JSON is not a key; expected a JWK set, an object with the array \"keys\""
        }
    }
}
