import TestSupport
import Foundation

/// A token for a driver, signed by the `openssl` program; valid unless header or claims are overridden.
struct SignedToken {
    let text: String
    /// The last part of the text.
    let signature: String

    /// Signs with the private key; the given header and claims replace the valid ones.
    init(by key: ServiceAccountFile, in scratch: Scratch, header: [String: Any] = [:], claims: [String: Any] = [:])
        throws
    {
        let now = Int(Date().timeIntervalSince1970)
        let validHeader: [String: Any] = ["alg": "RS256", "typ": "JWT", "kid": key.keyID]
        let validClaims: [String: Any] = [
            "iss": key.account, "sub": key.account, "aud": "https://fleetengine.googleapis.com/", "iat": now - 300,
            "exp": now + 3300, "authorization": ["vehicleid": "v-1"],
        ]
        let input = try [validHeader.merging(header) { $1 }, validClaims.merging(claims) { $1 }]
            .map { Self.base64URL(try JSONSerialization.data(withJSONObject: $0)) }.joined(separator: ".")
        let message = try scratch.write("message", input)
        let private_ = try scratch.write("signing.pem", key.pem)
        let output = scratch.path("signature")
        try Program.mustRun("openssl", ["dgst", "-sha256", "-sign", private_, "-out", output, message])
        signature = Self.base64URL(try Data(contentsOf: URL(filePath: output)))
        text = "\(input).\(signature)"
    }

    static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
