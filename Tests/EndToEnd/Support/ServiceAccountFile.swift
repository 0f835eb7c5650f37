import Foundation

/// A service-account key in Google's format, made with the `openssl` program.
struct ServiceAccountFile {
    static let account = "consumer@fleet-test.iam.gserviceaccount.com"
    static let keyID = "0123456789abcdef0123456789abcdef01234567"

    let path: String
    let publicKeyPath: String
    let account: String
    let keyID: String
    let pem: String

    init(
        in scratch: Scratch, name: String = "key", account: String = ServiceAccountFile.account,
        keyID: String = ServiceAccountFile.keyID, type: String = "service_account",
        key: [String] = ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"], permissions: Int = 0o600
    ) throws {
        let private_ = scratch.path("\(name).pem")
        publicKeyPath = scratch.path("\(name).pub.pem")
        try Program.mustRun("openssl", key + ["-out", private_])
        try Program.mustRun("openssl", ["pkey", "-in", private_, "-pubout", "-out", publicKeyPath])
        pem = try String(contentsOfFile: private_, encoding: .utf8)
        self.account = account
        self.keyID = keyID
        let json = try JSONSerialization.data(withJSONObject: [
            "type": type, "project_id": "fleet-test", "private_key_id": keyID, "private_key": pem,
            "client_email": account, "token_uri": "https://oauth2.googleapis.com/token",
        ])
        path = try scratch.write("\(name).json", String(decoding: json, as: UTF8.self), permissions: permissions)
    }
}
