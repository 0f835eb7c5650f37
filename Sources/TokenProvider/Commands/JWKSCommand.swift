import ArgumentParser
import FleetEngineToken
import OpenSSLCrypto
import StrictJSON

/// `token-provider jwks`: the keys by which our tokens are verified.
struct JWKSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jwks",
        abstract: "Write the public keys of the configured signers as a JWK set (RFC 7517).",
        discussion: """
            Each key once, whether or not its kind is served, with the private_key_id as kid; nothing of a private key. \
            JSON in any case, on lines for people or, with --json, on one. For programs that verify tokens, and for

              token-provider jwks --credentials key.json > keys.json
              token-provider inspect --key keys.json TOKEN
            """)

    @OptionGroup var source: ConfigurationOptions

    @Flag(help: "Write the set on one line.")
    var json = false

    func run() throws {
        ProcessSetup.prepare()
        let (_, signers) = try source.loadSigners(of: TokenKind.allCases)
        let set = try Startup.orExit { try JSONValue(parsing: JWKSet.render(signers.publicKeys())) }
        try Startup.deliver(json ? JSONText.compact(set) : JSONText.pretty(set))
    }
}
