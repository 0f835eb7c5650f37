import TestSupport
import Concurrency
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

    /// Keys by the name and the identifier of their files: to make them takes longer than most tests.
    private static let keys = Guarded<[[String]: String]>([:])

    /// Files have the same key if their names and key identifiers are the same, unless `key` tells `openssl` what to make.
    init(
        in scratch: Scratch, name: String = "key", account: String = ServiceAccountFile.account,
        keyID: String = ServiceAccountFile.keyID, type: String = "service_account",
        key: [String]? = nil, permissions: Int = 0o600
    ) throws {
        pem = try key.map { try Program.mustRun("openssl", $0) } ?? Self.key([name, keyID])
        let privateKeyPath = try scratch.write("\(name).pem", pem, permissions: 0o600)
        publicKeyPath = scratch.path("\(name).pub.pem")
        try Program.mustRun("openssl", ["pkey", "-in", privateKeyPath, "-pubout", "-out", publicKeyPath])
        self.account = account
        self.keyID = keyID
        let json = try JSONSerialization.data(withJSONObject: [
            "type": type, "project_id": "fleet-test", "private_key_id": keyID, "private_key": pem,
            "client_email": account, "token_uri": "https://oauth2.googleapis.com/token",
        ])
        path = try scratch.write("\(name).json", String(decoding: json, as: UTF8.self), permissions: permissions)
    }

    private static func key(_ names: [String]) throws -> String {
        try keys.withLock { keys in
            if let key = keys[names] { return key }
            let key = try Program.mustRun(
                "openssl", ["genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"])
            keys[names] = key
            return key
        }
    }
}
