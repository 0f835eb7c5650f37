import Foundation

/// A token of a healthy driver, signed by the `openssl` program.
struct SignedToken {
    let text: String
    /// Its last part, as it stands in the text.
    let signature: String

    /// Signed by the key's private half; other claims win over the healthy ones.
    init(by key: ServiceAccountFile, in scratch: Scratch, header: [String: Any] = [:], claims: [String: Any] = [:])
        throws
    {
        let now = Int(Date().timeIntervalSince1970)
        let healthyHeader: [String: Any] = ["alg": "RS256", "typ": "JWT", "kid": key.keyID]
        let healthyClaims: [String: Any] = [
            "iss": key.account, "sub": key.account, "aud": "https://fleetengine.googleapis.com/", "iat": now - 300,
            "exp": now + 3300, "authorization": ["vehicleid": "v-1"],
        ]
        let input = try [healthyHeader.merging(header) { $1 }, healthyClaims.merging(claims) { $1 }]
            .map { Self.base64URL(try JSONSerialization.data(withJSONObject: $0)) }.joined(separator: ".")
        let message = try scratch.write("message", input)
        let private_ = try scratch.write("signing.pem", key.pem)
        let output = scratch.path("signature")
        try Program.mustRun("openssl", ["dgst", "-sha256", "-sign", private_, "-out", output, message])
        signature = Self.base64URL(try Data(contentsOf: URL(filePath: output)))
        text = "\(input).\(signature)"
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
