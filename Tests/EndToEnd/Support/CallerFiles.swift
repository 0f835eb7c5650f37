import TestSupport
import Foundation
import Testing

/// The files of an operator whose callers are authenticated: the key that signs tokens, the identity provider's key, a
/// file of API keys, and a configuration.
final class CallerFiles {
    static let issuer = "https://id.example.com"
    static let wildcards = ["server", "delivery_server", "delivery_fleet_reader", "fleet_reader"]

    let scratch: Scratch
    /// Signs tokens for Fleet Engine.
    let key: ServiceAccountFile
    /// Signs the callers' tokens.
    let issuerKey: ServiceAccountFile
    private var apiKeyLines = ""

    init() throws {
        scratch = try Scratch(inMemory: true)
        key = try ServiceAccountFile(in: scratch)
        issuerKey = try ServiceAccountFile(in: scratch, name: "issuer", keyID: "issuer-key")
        let keys = try Program.mustRun(Program.daemon, ["jwks", "--credentials", issuerKey.path])
        try scratch.write("keys.json", keys)
        try scratch.write("api-keys", "")
    }

    /// A caller's token, valid unless the given claims or header values change that.
    func token(_ claims: [String: Any] = [:], header: [String: Any] = [:], by key: ServiceAccountFile? = nil) throws
        -> String
    {
        let own: [String: Any] = ["iss": Self.issuer, "sub": "user-1", "aud": "token-provider"]
        return try SignedToken(by: key ?? issuerKey, in: scratch, header: header, claims: own.merging(claims) { $1 })
            .text
    }

    /// Creates an API key and adds its line to the file, with another field if one is given.
    func apiKey(_ name: String, _ flags: [String] = [], field: String? = nil) throws -> String {
        let made = try Program.run(Program.daemon, ["api-key", "new", name, "--json"] + flags).json()
        let (key, line) = (try #require(made["key"] as? String), try #require(made["line"] as? String))
        apiKeyLines += line + (field.map { " \($0)" } ?? "") + "\n"
        try scratch.write("api-keys", apiKeyLines)
        return key
    }

    /// The path of a configuration with every kind, the issuer and the API keys; sections such as `rules:` follow.
    func configuration(_ sections: String, issuer: String? = nil) throws -> String {
        let kinds = Self.wildcards.map { "  \($0): {credentials: key.json}" }.joined(separator: "\n")
        let usual = """
            issuers:
              - issuer: \(Self.issuer)
                audiences: [token-provider]
                algorithms: [RS256]
                keys: keys.json
            """
        return try scratch.write(
            "token-provider.yaml",
            """
            listen: 127.0.0.1:0
            credentials: key.json
            kinds:
            \(kinds)
            \(issuer ?? usual)
            api_keys: {file: api-keys, header: X-API-Key}
            \(sections)

            """)
    }

    /// Starts the daemon with this configuration.
    func daemon(
        _ sections: String, _ flags: [String] = [], issuer: String? = nil, environment: [String: String] = [:]
    ) throws -> DaemonProcess {
        try DaemonProcess(
            ["serve", "--config", configuration(sections, issuer: issuer)] + flags, environment: environment,
            scratch: scratch)
    }

    /// Runs `audit verify` on files in the folder, oldest first.
    func verifyAudit(_ names: [String] = ["audit"]) throws -> Outcome {
        try Program.run(Program.daemon, ["audit", "verify", "--json"] + names.map(scratch.path))
    }

    /// The records of an audit file.
    func auditRecords(_ name: String = "audit") throws -> [[String: Any]] {
        try scratch.text(name).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }
}

extension Curl {
    /// Sends a request with a bearer token.
    init(_ url: String, bearer: String) throws {
        try self.init(url, ["-H", "Authorization: Bearer \(bearer)"])
    }
}
