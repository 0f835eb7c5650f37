import OpenSSLCrypto
import StrictJSON
import Synchronization

/// One set of an issuer's keys, until the next set replaces it.
final class IssuerKeys: Sendable {
    /// Few enough to be searched one by one.
    private let keys: [JWK]
    private let retired = Atomic(false)

    /// For tokens that nothing signs.
    static let none = IssuerKeys([])

    init(_ keys: [JWK]) {
        self.keys = keys
    }

    /// Whether another set has replaced it: nothing that it verified is accepted any more.
    var isRetired: Bool { retired.load(ordering: .acquiring) }

    func retire() {
        retired.store(true, ordering: .releasing)
    }

    /// The ids of those keys that have one.
    var keyIDs: [String] { keys.compactMap(\.keyID) }

    /// The keys that may have signed by the algorithm: those that the header's `kid` names, which are few; without one, the
    /// only key for the algorithm.
    func keys(_ keyID: JSONValue?, for algorithm: JWSAlgorithm) throws(BearerTokenFault) -> [JWK] {
        let named = try named(keyID)
        guard !named.isEmpty else { throw keyID == nil ? .keyIDMissing : .keyUnknown }
        let fitting = named.filter { $0.verifies(by: algorithm) }
        guard let first = fitting.first else { throw .algorithmNotOfKey }
        guard keyID == nil else { return fitting }
        guard fitting.allSatisfy({ $0.key.isSame(as: first.key) }) else { throw .keyIDMissing }
        return [first]
    }

    /// The algorithms of the keys that a header's `kid` names, as far as they are for only one.
    func algorithms(of keyID: JSONValue?) -> [String] {
        let named = (try? named(keyID)) ?? []
        return Set(named.compactMap(\.algorithm?.rawValue)).sorted()
    }

    private func named(_ keyID: JSONValue?) throws(BearerTokenFault) -> [JWK] {
        switch keyID {
        case nil: return keys
        case .string(let text):
            // Keys in PEM have no ids. They are few, so that a token costs few verifications.
            if keys.count <= JWKSet.maxNamesakes, keys.allSatisfy({ $0.keyID == nil }) { return keys }
            return keys.filter { $0.keyID?.hasSameBytes(as: text) ?? false }
        default: throw .keyIDMalformed
        }
    }
}
