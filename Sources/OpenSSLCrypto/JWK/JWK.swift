/// A public key of a JWK set (RFC 7517 section 4).
package struct JWK: Sendable {
    /// The key's id, `kid`; nil if it has none.
    package let keyID: String?
    /// The one algorithm that the key is for, `alg`; nil if it is for all that its type allows.
    package let algorithm: JWSAlgorithm?
    /// The one issuer whose tokens it signs, of a set that several issuers share; nil if it is for all. Entra ID has it.
    package let issuer: String?
    package let key: VerificationKey

    /// A key, with its id, for all algorithms that its type allows.
    package init(keyID: String?, key: VerificationKey) {
        (self.keyID, algorithm, issuer, self.key) = (keyID, nil, nil, key)
    }

    /// Whether its `alg` is this algorithm or missing.
    package func isMeant(for algorithm: JWSAlgorithm) -> Bool {
        self.algorithm == nil || self.algorithm?.canonical == algorithm.canonical
    }

    /// Whether it verifies signatures by the algorithm: its type allows it, and its `alg` does not name another one.
    package func verifies(by algorithm: JWSAlgorithm) -> Bool { isMeant(for: algorithm) && key.verifies(by: algorithm) }

    /// Whether both are the same key for the same algorithm and issuer.
    func isSame(as other: JWK) -> Bool {
        algorithm?.canonical == other.algorithm?.canonical && issuer == other.issuer && key.isSame(as: other.key)
    }

    /// The key in a JWK's members. Throws if it cannot be used for any of the algorithms, or is for another use.
    package init(
        _ members: JWKMembers, for algorithms: [JWSAlgorithm], use: String = JWKSet.usualUse
    ) throws(JWKError) {
        let types = KeyType.all.filter { $0.algorithms.contains(where: algorithms.contains) }
        keyID = try members.keyID()
        issuer = try members.issuer()
        let certified = try members.certifiedKey()
        let type = try members.keyType(among: types, or: certified?.type)
        guard certified.map({ $0.type == type }) ?? true else {
            throw .unlike("a certificate", [type.curve?.rawValue ?? type.name])
        }
        guard try members.choice("use", among: [use], spelled: \.self) != nil || use == JWKSet.usualUse else {
            throw .missing("use")
        }
        guard members.allowsVerifying else { throw .unlike("key_ops", ["verify"]) }
        let wanted = algorithms.map(\.canonical)
        let choices = type.algorithms.filter { wanted.contains($0.canonical) }
        algorithm = try members.choice("alg", among: choices, spelled: \.rawValue)
        if let name = members.privateName { throw .privateMember(name) }
        if let certified { key = certified } else { key = try members.key(type) }
    }

    /// The key in a PEM text, for all of the algorithms that its type allows; throws if there are none. A certificate's dates
    /// are not checked, as Google does not check them: a key ends when it is no longer published.
    init(pem: String, keyID: String?, for algorithms: [JWSAlgorithm]) throws(JWKError) {
        let key: VerificationKey
        do { key = try VerificationKey(pem: Array(pem.utf8)) } catch { throw .unfit(error) }
        guard algorithms.contains(where: key.verifies) else { throw .unlike("a type", algorithms.map(\.keyType.name)) }
        self.init(keyID: keyID, key: key)
    }
}
