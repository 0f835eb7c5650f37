import ArgumentParser
import CallerAccess
import HTTPServer
import OpenSSLCrypto
import StrictJSON

/// `token-provider api-key`: API keys for servers.
struct APIKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-key", abstract: "Make API keys for servers that request tokens.",
        discussion: """
            Examples:

              token-provider api-key new dispatch
              token-provider help api-key new

            Exit status:
              0   the key was written
              1   the key could not be made or written
              64  wrong command line
            """,
        subcommands: [NewAPIKeyCommand.self])
}

/// `token-provider api-key new`: a key, and its line for the key file.
struct NewAPIKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make an API key and the line with its SHA-256 for the key file.",
        discussion: """
            Examples:

              token-provider api-key new dispatch
              token-provider api-key new dispatch --expires 2027-01-31T00:00:00Z

            Give KEY to the server that calls; it sends Authorization: Bearer KEY. Add the \
            line to the file that api_keys.file names, and reload.

            Exit status:
              0   the key was written
              1   the key could not be made or written
              64  wrong command line
            """)

    @Argument(help: "The key's name in rules and in the audit log: 1 to 64 characters of A-Z a-z 0-9 . _ -")
    var name: String

    @Option(
        help: ArgumentHelp(
            "When the key expires (UTC), such as 2027-01-31T00:00:00Z. Default: never.", valueName: "date"))
    var expires: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A rule that may allow requests with the key; may be repeated. Default: every rule.", valueName: "name"))
    var rule: [String] = []

    @Flag(help: "Write one JSON object with the members key and line.")
    var json = false

    func run() throws {
        let random = try Startup.orExit { try SecureRandom.bytes(APIKey.randomBytes) }
        guard let key = APIKey(random: random) else { throw ExitCode.failure }
        let entry = try Startup.orMisuse { () throws(APIKeyFileError.Problem) in
            try APIKeyEntry(name: name, key: key, expires: expires, rules: rule.isEmpty ? nil : Set(rule))
        } sentence: {
            $0.sentence
        }
        if let end = entry.expiresAt, end <= ServerTime.now().epochSeconds {
            throw Startup.misuse("--expires is in the past; expected a later date")
        }
        let object = JSONText.object { json in
            json.member("key", key.text)
            json.member("line", entry.line)
        }
        try Startup.deliver(json ? object : Self.text(key, entry))
    }

    private static func text(_ key: APIKey, _ entry: APIKeyEntry) -> String {
        """
        The key, which is shown only once:
        \(key.text)

        Its line for the file that api_keys.file names:
        \(entry.line)
        """
    }
}
