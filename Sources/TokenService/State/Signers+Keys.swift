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

    /// The public halves of keys, by their account and id; nil if one cannot be read.
    var publicHalves: [[String]: Set<String>]? {
        guard let halves = try? distinct.map({ ([$0.account, $0.keyID], Set([try $0.publicKeyPEM()])) }) else {
            return nil
        }
        return Dictionary(halves) { $0.union($1) }
    }
}
