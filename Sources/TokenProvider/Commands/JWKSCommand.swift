import ArgumentParser
import Logging
import OpenSSLCrypto
import StrictJSON
import TokenService

/// `token-provider jwks`: the public keys that verify our tokens.
struct JWKSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jwks",
        abstract: "Write the public keys of the configured signers as a JWK set (RFC 7517).",
        discussion: """
            Examples:

              token-provider jwks --credentials key.json > keys.json
              token-provider jwks --config token-provider.yaml --json

            Programs verify tokens with these keys, and so does inspect --key. Each key is \
            there once, with its private_key_id as kid. They are the keys of the kinds that \
            serve would serve. Those of an account that Google signs for are fetched from Google.

            Exit status:
              0   the keys were written
              1   the keys could not be written
              64  wrong command line
              78  wrong configuration or key file
            """)

    @OptionGroup var source: ConfigurationOptions

    @Flag(help: "Write the JSON on one line.")
    var json = false

    func run() throws {
        ProcessSetup.prepare()
        let (configuration, signers) = try source.loadSigners()
        let loaded = LoadedConfiguration(configuration: configuration, signers: signers)
        let remote = try Startup.orExit {
            let remote = try RemoteSigning.make(loaded, after: nil, logger: Logger(label: "jwks"))
            try remote?.fetchKeys()
            return remote
        }
        let set = try Startup.orExit {
            try JSONValue(parsing: JWKSet.joined([JWKSet.render(signers.publicKeys())] + (remote?.keySets ?? [])))
        }
        try Startup.deliver(json ? JSONText.compact(set) : JSONText.pretty(set))
    }
}
