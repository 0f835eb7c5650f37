import ArgumentParser
import CallerAccess
import HTTPServer
import OpenSSLCrypto
import StrictJSON

/// `token-provider api-key`: the keys of servers.
struct APIKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-key", abstract: "Make API keys for servers that ask for tokens.",
        subcommands: [NewAPIKeyCommand.self])
}

/// `token-provider api-key new`: a key, and the line by which it is recognised.
struct NewAPIKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make an API key; it is shown once, and only its SHA-256 is kept.",
        discussion: """
            The key goes to whoever will call, as Authorization: Bearer KEY. The line goes into the file that \
            api_keys.file names; then the daemon takes it by SIGHUP.

              token-provider api-key new dispatch --expires 2027-01-31T00:00:00Z
            """)

    @Argument(help: "What rules and records call the key: 1 to 64 of A-Z a-z 0-9 . _ -")
    var name: String

    @Option(help: ArgumentHelp("When it ends, as 2027-01-31T00:00:00Z; never if nothing is said.", valueName: "date"))
    var expires: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A rule that may allow it something; all that are for it if none is named.", valueName: "name"))
    var rule: [String] = []

    @Flag(help: "One object with the members key and line.")
    var json = false

    func run() throws {
        let random = try Startup.orExit { try SecureRandom.bytes(APIKey.randomBytes) }
        guard let key = APIKey(random: random) else { throw ExitCode.failure }
        let entry: APIKeyEntry
        do throws(APIKeyFileError.Problem) {
            entry = try APIKeyEntry(name: name, key: key, expires: expires, rules: rule.isEmpty ? nil : Set(rule))
        } catch {
            throw Startup.misuse(error.sentence)
        }
        if let end = entry.expiresAt, end <= ServerTime.now().epochSeconds {
            throw Startup.misuse("--expires lies in the past; expected a date to come")
        }
        try Startup.deliver(json ? Self.json(key, entry) : Self.text(key, entry))
    }

    private static func text(_ key: APIKey, _ entry: APIKeyEntry) -> String {
        """
        The key, which is shown this once:
        \(key.text)

        Its line for the file that api_keys.file names:
        \(entry.line)
        """
    }

    private static func json(_ key: APIKey, _ entry: APIKeyEntry) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("key", key.text)
            json.member("line", entry.line)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
