import OpenSSLCrypto
import StrictJSON
import Synchronization

/// One set of an issuer's keys, until the next set replaces it.
final class IssuerKeys: Sendable {
    /// Few enough to be searched one by one.
    private let keys: [JWK]
    private let retired = Atomic(false)

    init(_ set: JWKSet) {
        keys = set.keys
    }

    /// Whether another set has replaced it: nothing that it verified is accepted any more.
    var isRetired: Bool { retired.load(ordering: .acquiring) }

    func retire() {
        retired.store(true, ordering: .releasing)
    }

    /// The ids of those keys that have one.
    var keyIDs: [String] { keys.compactMap(\.keyID) }

    /// The key that the header's `kid` names; without one, the only key there is.
    func key(_ keyID: JSONValue?) throws(BearerTokenFault) -> JWK {
        switch keyID {
        case nil:
            guard keys.count == 1, let only = keys.first else { throw .keyIDMissing }
            return only
        case .string(let text):
            guard let key = keys.first(where: { $0.keyID?.hasSameBytes(as: text) ?? false }) else { throw .keyUnknown }
            return key
        default: throw .keyIDMalformed
        }
    }
}
