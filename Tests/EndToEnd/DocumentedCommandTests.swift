import Foundation
import TestSupport
import Testing

/// The commands of the documentation, run in the order in which they stand.
@Suite(.blocking) struct DocumentedCommandTests {
    private static let withKeyFile = "token-provider serve --credentials key.json --callers none"

    /// A page whose commands are run, with what its reader has by then.
    struct Page: CustomTestStringConvertible, Sendable {
        let name: String
        var provider = ("Firebase Auth", "https://securetoken.google.com/my-fleet")
        /// The claims of a caller's token, and the file that has it.
        var token = (file: "id-token.txt", claims: #"{"aud": "my-fleet", "vehicle": "vehicle-1"}"#)
        /// What was run before the page, so that its examples have something to show.
        var before: [String] = []
        /// What the commands print, in this order.
        let prints: [String]

        var testDescription: String { name }
    }

    static let pages = [
        Page(
            name: "README", prints: ["listening on http://127.0.0.1:8080", "serve would start.", "VEHICLE_TOKEN_KEY"]),
        Page(
            name: "FirstTokenToProduction",
            prints: [
                "listening on http://127.0.0.1:8080", "VEHICLE_TOKEN_KEY", "TOKEN_EXPIRATION", "vehicleid",
                "serve would start.", "the rule drivers allows it", "VEHICLE_TOKEN_KEY", "401", "unauthenticated",
                #""ready":true"#, "serve would start.", "listening on https://0.0.0.0:8443", "VEHICLE_TOKEN_KEY",
                #""ready":true"#,
            ]),
        Page(
            name: "Authorization", provider: ("Okta", "https://id.example.com"),
            token: ("callers-token", #"{"aud": "token-provider", "groups": ["riders"], "trips": ["t-1"]}"#),
            before: [
                "token-provider api-key new dispatch --json | sed 's/.*\"line\":\"\\([^\"]*\\)\".*/\\1/' > api-keys"
            ],
            prints: ["the rule riders allows it"]),
        Page(
            name: "Commands", before: ["token-provider jwks --credentials key.json > keys.json", withKeyFile],
            prints: ["tripid"]),
        Page(name: "Credentials", prints: ["listening on http://127.0.0.1:8080"]),
        Page(
            name: "AuditLog",
            before: [
                "printf 'credentials: key.json\ncallers: none\naudit: {output: file, file: audit}\n' > token-provider.yaml",
                "token-provider serve --config token-provider.yaml 2> daemon.log",
                "curl -s 'http://127.0.0.1:8080/token?tripID=trip-1'", "mv audit audit.1", "token-provider reload",
                "curl -s 'http://127.0.0.1:8080/token?tripID=trip-2'",
            ], prints: ["unbroken", "checkpoints: 2 found", "unbroken"]),
    ]

    @Test func `every command is run, or its block says why not`() throws {
        let blocks = try DocumentedBlock.all().filter { $0.language == "sh" }
        #expect(blocks.count > 20)
        for block in blocks where block.remark.isEmpty {
            #expect(Self.pages.contains { $0.name == block.page } || block.page == "CONTRIBUTING", "\(block.text)")
        }
        #expect(blocks.allSatisfy { $0.remark.isEmpty || $0.remark.hasPrefix("not run: ") })
    }

    @Test(arguments: pages)
    func `a page's commands run in their order`(page: Page) throws {
        let scratch = try Scratch()
        _ = try ServiceAccountFile(in: scratch, account: "drivers@my-fleet.iam.gserviceaccount.com")
        let authority = try TestAuthority().certify("server", for: ["tokens.example.com", host(of: page.provider.1)])
        for (name, place) in [("server.pem", "tls.pem"), ("server.key", "tls.key")] {
            try scratch.write(place, String(decoding: authority.bytes(name), as: UTF8.self))
        }
        let blocks = try DocumentedBlock.all()
            .filter { $0.page == page.name && ["sh", "yaml"].contains($0.language) && $0.remark.isEmpty }
        let described: [String: Any] = [
            "blocks": page.before.map { ["sh", $0] } + blocks.map { [$0.language, $0.text] },
            "provider": page.provider.0, "issuer": page.provider.1,
            "tokens": [page.token.file: try JSONSerialization.jsonObject(with: Data(page.token.claims.utf8))],
        ]
        let facts = try PythonClients.runProvider(
            under: ["unshare", "--map-root-user", "--net", "--mount"], "documented_commands.py",
            [scratch.folder.path, Program.daemon] + ["server.pem", "server.key", "ca.pem"].map(authority.path),
            input: String(decoding: JSONSerialization.data(withJSONObject: described), as: UTF8.self))
        var rest = try #require(facts["outputs"] as? [String]).joined()[...]
        for text in page.prints {
            let found = try #require(rest.range(of: text), "\(text) is missing: \(rest)")
            rest = rest[found.upperBound...]
        }
    }

    private func host(of issuer: String) throws -> String { try #require(URL(string: issuer)?.host()) }
}
