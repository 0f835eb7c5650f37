import Foundation
import OpenSSLCrypto

/// Keys that several tests share, made once in each run.
enum KeyFixture {
    private static let rsa = Result { try OpenSSLCommand.newKey("RSA", option: "rsa_keygen_bits:2048") }

    /// A valid RSA-2048 key in the form that Google Cloud writes: PKCS #8 in PEM.
    static func pem() throws -> String {
        try rsa.get()
    }

    static func key() throws -> RSAPrivateKey {
        try RSAPrivateKey(pem: Array(pem().utf8))
    }

    /// A key file's JSON; a member set to nil is left out.
    static func json(_ changes: [String: Any?] = [:]) throws -> [UInt8] {
        var members: [String: Any] = [
            "type": "service_account", "project_id": "some-project", "private_key_id": "0123456789abcdef",
            "private_key": try pem(), "client_email": "rider@some-project.iam.gserviceaccount.com",
            "token_uri": "https://oauth2.googleapis.com/token", "universe_domain": "googleapis.com",
        ]
        for (name, value) in changes { members[name] = value }
        return Array(try JSONSerialization.data(withJSONObject: members))
    }
}
