import Foundation
import Testing

@testable import ServiceConfiguration

@Suite struct ConfigurationPrecedenceTests {
    static let file = "listen: [127.0.0.1:2, 127.0.0.1:3]\nlog: {level: debug}"
    static let environment = withCredentials.merging([
        "TOKEN_PROVIDER_LISTEN": "127.0.0.1:4, 127.0.0.1:5", "TOKEN_PROVIDER_LOG_LEVEL": "error",
    ]) { $1 }
    static let flags = ConfigurationFlags(listen: ["127.0.0.1:6", "127.0.0.1:7"], logLevel: "critical")

    @Test func `a default applies where nothing is set`() throws {
        let configuration = try resolve(environment: withCredentials).configuration
        #expect(configuration.log.level == .info)
        #expect(configuration.listen.map(\.description) == ["127.0.0.1:8080"])
    }

    @Test func `the file overrides the default`() throws {
        let configuration = try resolve(Self.file, environment: withCredentials).configuration
        #expect(configuration.log.level == .debug)
        #expect(configuration.listen.map(\.description) == ["127.0.0.1:2", "127.0.0.1:3"])
    }

    @Test func `the environment overrides the file`() throws {
        let configuration = try resolve(Self.file, environment: Self.environment).configuration
        #expect(configuration.log.level == .error)
        #expect(configuration.listen.map(\.description) == ["127.0.0.1:4", "127.0.0.1:5"])
    }

    @Test func `a flag overrides everything else`() throws {
        let configuration = try resolve(Self.file, flags: Self.flags, environment: Self.environment).configuration
        #expect(configuration.log.level == .critical)
        #expect(configuration.listen.map(\.description) == ["127.0.0.1:6", "127.0.0.1:7"])
    }

    @Test func `overridden values are still checked`() {
        #expect(
            refusal(
                of: "log: {level: loud}", flags: ConfigurationFlags(logLevel: "error"),
                environment: withCredentials.merging(["TOKEN_PROVIDER_LOG_LEVEL": "quiet"]) { $1 })
                    == """
                    token-provider.yaml:1:7: log.level: "loud" is unknown; expected one of trace, debug, info, notice, warning, error, critical
                    environment TOKEN_PROVIDER_LOG_LEVEL: "quiet" is unknown; expected one of trace, debug, info, notice, warning, error, critical
                    """)
    }

    @Test func `every flag sets its key`() throws {
        let flags = ConfigurationFlags(
            listen: ["0.0.0.0:0"], credentials: "key.json", callers: "none", logLevel: "trace", logFormat: "json")
        let configuration = try resolve(flags: flags, environment: [:]).configuration
        #expect(configuration.listen == [.ipv4(0, port: 0)])
        #expect(configuration.credentials == "key.json")
        #expect(configuration.callers == .unauthenticated)
        #expect(configuration.log.level == .trace)
        #expect(configuration.log.format == .json)
    }

    @Test func `an empty environment list overrides the list of the file`() throws {
        let environment = withCredentials.merging(["TOKEN_PROVIDER_REQUEST_IGNORED_PARAMETERS": ""]) { $1 }
        let configuration = try resolve("request: {ignored_parameters: key}", environment: environment).configuration
        #expect(configuration.request.ignoredParameters.isEmpty)
    }

    @Test(
        arguments: [
            (
                "credentials: /file.json", ["TOKEN_PROVIDER_CREDENTIALS": "/environment.json"], "/flag.json",
                "/flag.json"
            ),
            ("credentials: /file.json", ["TOKEN_PROVIDER_CREDENTIALS": "/environment.json"], nil, "/environment.json"),
            ("credentials: /file.json", [:], nil, "/file.json"),
            ("{}", [:], nil, "/keys/google.json"),
        ] as [(String, [String: String], String?, String)])
    func `Google's credentials variable has the lowest precedence`(
        yaml: String, own: [String: String], flag: String?, expected: String
    ) throws {
        let environment = withCredentials.merging(own) { $1 }
        let flags = ConfigurationFlags(credentials: flag)
        #expect(try resolve(yaml, flags: flags, environment: environment).configuration.credentials == expected)
    }

    @Test func `Google's variable enables no kind that the configuration omits`() throws {
        let yaml = "kinds: {consumer: {credentials: /consumer.json}}"
        let configuration = try resolve(yaml, environment: withCredentials).configuration
        #expect(configuration.keyFile(of: .consumer) == "/consumer.json")
        #expect(configuration.keyFile(of: .driver) == nil)
        #expect(configuration.credentials == nil)
    }

    @Test func `a kind without its own credentials uses the common ones`() throws {
        let yaml = "credentials: /common.json\nkinds: {driver: {credentials: /driver.json}}"
        let configuration = try resolve(yaml).configuration
        #expect(configuration.keyFile(of: .consumer) == "/common.json")
        #expect(configuration.keyFile(of: .driver) == "/driver.json")
    }

    @Test func `relative paths start in the folder of the file naming them`() throws {
        let yaml = "credentials: key.json\nlisten: ['unix:run/x', 'unix:/run/y']"
        let document = ConfigurationDocument(name: "etc/deep/token-provider.yaml", bytes: Array(yaml.utf8))
        let environment = withoutAuthentication.merging(["TOKEN_PROVIDER_KINDS_DRIVER_CREDENTIALS": "driver.json"]) {
            $1
        }
        let configuration = try Configuration.read(
            document, flags: ConfigurationFlags(), environment: environment
        ).configuration().configuration
        #expect(configuration.credentials == "etc/deep/key.json")
        #expect(configuration.keyFile(of: .driver) == "driver.json")
        #expect(configuration.listen == [.unix("etc/deep/run/x"), .unix("/run/y")])
    }

    @Test func `a library's path has no other meaning for the loader`() throws {
        let flags = ConfigurationFlags()
        for (folder, module) in [("", "module.so"), ("etc/", "lib/module.so")] {
            let yaml = "pkcs11: {module: \(module)}\nsigning: {batch: ./batch.so}"
            let document = ConfigurationDocument(name: "\(folder)token-provider.yaml", bytes: Array(yaml.utf8))
            let values = try Configuration.read(document, flags: flags, environment: withoutAuthentication)
                .configuration().configuration
            let place = FileManager.default.currentDirectoryPath
            #expect(values.pkcs11.module == "\(place)/\(folder)\(module)")
            #expect(values.signing.batch == .path("\(place)/\(folder)./batch.so"))
        }
    }
}

/// Where to listen, as containers and hosting platforms say it.
@Suite struct ListeningDefaultTests {
    private func listeners(
        _ environment: [String: String], file: String? = nil, inheriting sockets: [ListenerTakeover.Socket] = []
    ) throws -> [String] {
        try Configuration.load(
            file: file, flags: ConfigurationFlags(), environment: withCredentials.merging(environment) { $1 },
            inheriting: sockets
        ).configuration.listen.map(\.description)
    }

    private func withTemporaryFile(_ text: String, _ body: (String) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "defaults-\(UUID().uuidString).yaml")
        try text.write(to: url, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url.path)
    }

    @Test func `PORT says where to listen if nothing else does`() throws {
        #expect(try listeners(["PORT": "9000"]) == ["0.0.0.0:9000"])
        #expect(try listeners(["PORT": "9000", "TOKEN_PROVIDER_LISTEN": "127.0.0.1:1"]) == ["127.0.0.1:1"])
        let socket = ListenerTakeover.Socket(name: nil, address: .ipv4(0x7F00_0001, port: 8080))
        #expect(try listeners(["PORT": "9000"], inheriting: [socket]) == ["127.0.0.1:8080"])
    }

    @Test(arguments: ["", "0", "65536", "http", "08", "1 "])
    func `a PORT that is not a port is refused`(text: String) {
        #expect(
            refusal(environment: withCredentials.merging(["PORT": text]) { $1 })
                == "environment PORT: \"\(text)\" is not a port; expected a number from 1 to 65535")
    }

    @Test func `every other source overrides the file of defaults`() throws {
        try withTemporaryFile("listen: 0.0.0.0:8080\nlog: {format: json}\n") { defaults in
            let image = ["TOKEN_PROVIDER_DEFAULTS": defaults]
            #expect(try listeners(image) == ["0.0.0.0:8080"])
            #expect(try listeners(image.merging(["PORT": "9000"]) { $1 }) == ["0.0.0.0:9000"])
            try withTemporaryFile("listen: []\ntls: {listen: 127.0.0.1:1}\nlog: {format: text}\n") { file in
                let (configuration, _) = try Configuration.load(
                    file: file, flags: ConfigurationFlags(), environment: withCredentials.merging(image) { $1 },
                    rules: [])
                #expect(configuration.listen.isEmpty)
                #expect(configuration.log.format == .text)
            }
        }
    }

    @Test func `listeners of the configuration replace that of the file of defaults`() throws {
        try withTemporaryFile("listen: 0.0.0.0:8080\n") { defaults in
            let image = ["TOKEN_PROVIDER_DEFAULTS": defaults]
            for listener in ["tls: {listen: 127.0.0.1:1}", "listeners: [{address: 127.0.0.1:1}]"] {
                try withTemporaryFile(listener) { file in
                    let (configuration, _) = try Configuration.load(
                        file: file, flags: ConfigurationFlags(), environment: withCredentials.merging(image) { $1 },
                        rules: [])
                    #expect(configuration.listen == [.ipv4(0x7F00_0001, port: 8080)])
                }
            }
        }
    }

    @Test func `errors in the file of defaults name it`() throws {
        try withTemporaryFile("listn: 1\n") { defaults in
            let found = refusal(environment: withCredentials.merging(["TOKEN_PROVIDER_DEFAULTS": defaults]) { $1 })
            #expect(found == "\(defaults):1:1: listn: unknown key; did you mean \"listen\"?")
        }
    }
}
