internal import FleetEngineToken
internal import OpenSSLSigner
internal import Synchronization

/// One set of an issuer's keys, from the moment it was handed in until the next set replaces it.
final class IssuerKeys: Sendable {
    private let keys: [JSONName: JWK]
    private let only: JWK?
    private let retired = Atomic(false)

    init(_ set: JWKSet) {
        let named = set.keys.compactMap { key in key.keyID.map { (JSONName($0), key) } }
        keys = Dictionary(named) { first, _ in first }
        only = set.keys.count == 1 ? set.keys.first : nil
    }

    /// Whether another set has taken its place: nothing that it verified counts any more.
    var isRetired: Bool { retired.load(ordering: .acquiring) }

    func retire() {
        retired.store(true, ordering: .releasing)
    }

    /// The key that the header's `kid` names; without one, the only key there is.
    func key(_ keyID: JSONValue?) throws(BearerTokenFault) -> JWK {
        switch keyID {
        case nil:
            guard let only else { throw .keyIDMissing }
            return only
        case .string(let text):
            guard let key = keys[JSONName(text)] else { throw .keyUnknown }
            return key
        default: throw .keyIDMalformed
        }
    }
}
