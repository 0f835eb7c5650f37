import Foundation
import Testing

/// Keys that several tests share, made once in each run.
package enum KeyFixture {
    private static let rsa = Result { try OpenSSLCommand.newKey("RSA", option: "rsa_keygen_bits:2048") }

    /// A valid RSA-2048 key in the form that Google Cloud writes: PKCS #8 in PEM.
    package static func pem() throws -> String {
        try rsa.get()
    }

    /// A key file's JSON; a member set to nil is left out.
    package static func json(_ changes: [String: Any?] = [:]) throws -> [UInt8] {
        var members: [String: Any] = [
            "type": "service_account", "project_id": "some-project", "private_key_id": "0123456789abcdef",
            "private_key": try pem(), "client_email": "rider@some-project.iam.gserviceaccount.com",
            "token_uri": "https://oauth2.googleapis.com/token", "universe_domain": "googleapis.com",
        ]
        for (name, value) in changes { members[name] = value }
        return Array(try JSONSerialization.data(withJSONObject: members))
    }
}

/// Expects that a text contains no eight consecutive characters of the shared key.
package func expectNoKeyBytes(in text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    guard let pem = try? KeyFixture.pem() else { return }
    let body = Array(pem.split(separator: "\n").dropFirst().dropLast().joined())
    for start in 0...(body.count - 8) where text.contains(String(body[start..<(start + 8)])) {
        Issue.record("a piece of the key is in: \(text)", sourceLocation: sourceLocation)
        return
    }
}
