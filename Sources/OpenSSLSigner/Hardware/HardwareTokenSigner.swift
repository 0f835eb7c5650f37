import FleetEngineToken
import StrictJSON

/// Signs tokens with a key in hardware without blocking its caller.
package struct HardwareTokenSigner: RemoteTokenSigner {
    package let account: String
    package let keyID: String
    private let key: HardwareKey
    private let encodedHeader: [UInt8]

    init(account: String, keyID: String, _ key: HardwareKey) {
        (self.account, self.keyID, self.key) = (account, keyID, key)
        encodedHeader = TokenMinter.encodedHeader(keyID: keyID)
    }

    /// Signs the claims within some seconds.
    package func sign(_ claims: [UInt8], _ urgency: SigningUrgency) async throws(RemoteSigningError) -> [UInt8] {
        var jws = encodedHeader
        Base64URL.append(claims, to: &jws)
        let result = await withCheckedContinuation { [jws] continuation in
            key.sign(jws) { continuation.resume(returning: $0) }
        }
        let signature = try result.mapError(\.error).get()
        jws.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &jws)
        return jws
    }

    /// Why the key makes no signatures, and what to do about it; nil if it makes some. Has it make one, for the next call.
    package func outage() -> RemoteSigningError? {
        key.sign(Array("probe of key \(keyID)".utf8)) { _ in }
        return key.outage
    }
}
