import FleetEngineToken
import OpenSSLCrypto
import OpenSSLSigner

extension Signers {
    /// Each signer once, in the order of the kinds.
    package var distinct: [RS256Signer] {
        var seen: Set<ObjectIdentifier> = []
        return TokenKind.allCases.compactMap { byKind[$0] }.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// The public half of each key, once, in the order of the kinds.
    package func publicKeys() throws -> [(keyID: String, publicKey: VerificationKey)] {
        var seen: Set<[String]> = []
        // Two files may hold the same key.
        let keys = try distinct.filter { seen.insert([$0.keyID, try $0.publicKeyPEM()]).inserted }
        return keys.map { ($0.keyID, $0.publicKey) }
    }

    /// Whether keys of the same account and id have the same public half in both.
    func agree(with others: Signers) -> Bool {
        distinct.allSatisfy { key in
            others.distinct.allSatisfy { other in
                guard key.keyID == other.keyID, key.account == other.account else { return true }
                guard let (own, its) = try? (key.publicKeyPEM(), other.publicKeyPEM()) else { return false }
                return own == its
            }
        }
    }
}
