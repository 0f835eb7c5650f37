import HTTPServer
import OpenSSLSigner
import SeparateSigning
import ServiceConfiguration
import Testing
import TokenService

@testable import Confinement
@testable import TokenProvider

/// What the sandbox allows for a configuration.
@Suite struct SandboxProfileTests {
    private var values = Configuration.read(file: nil, flags: ConfigurationFlags(), environment: [:]).values
    private let signers: Signers

    init() throws { signers = Signers(all: try RS256Signer.demo()) }

    private func profile(_ environment: [String: String] = [:], file: String? = nil) -> SandboxProfile {
        SandboxProfile(values, signers, file: file, notifying: nil, environment)
    }

    @Test func `the configuration's folder can be read but not written`() throws {
        let places = try #require(profile(file: "/tmp/token-provider.yaml").places)
        #expect(places["/tmp"] == .read)
        #expect(places["/etc"] == .read)
        #expect(places["/dev/null"] == .write)
        #expect(places["/"] == nil)
        #expect(places.values.filter { !$0.isDisjoint(with: [.write.subtracting(.read), .listen]) }.count == 1)
    }

    @Test mutating func `a file of the audit log can be written`() throws {
        values.audit.output = .file
        values.audit.file = "/tmp/audit"
        #expect(profile().places?["/tmp"] == .write)
        values.audit.checkpoints = .file("/var/checkpoints")
        #expect(profile().places?["/var"] == .write)
        values.audit.output = .stdout
        #expect(profile().places?["/tmp"] == nil)
        #expect(profile().needs == [])
        values.audit.output = .journald
        #expect(profile().needs == .unixDatagrams)
    }

    @Test func `what loads keys reads their folders, and few others`() throws {
        var terms = KeyTerms(values)
        terms.keys = ["/tmp/key.json", "/var/key.json"].map { KeyTerms.Key(credentials: $0, tokens: []) }
        terms.batch = "/opt/crypto_mb.so"
        let places = try #require(SandboxProfile(loading: terms, ["HOME": "/srv"]).places)
        #expect(["/tmp", "/var", "/opt", "/usr", "/etc/ssl"].allSatisfy { places[$0] == .read })
        #expect(["/", "/etc", "/run", "/srv", "/dev/null"].allSatisfy { places[$0] == nil })
    }

    @Test mutating func `listeners may bind their ports and sockets alone`() {
        values.listen = [.ipv4(0, port: 8080), .unix("/var/daemon.sock"), .unix("@abstract")]
        values.admin.listen = [.ipv6("::1", port: 9000)]
        #expect(profile().ports == [8080, 9000])
        #expect(profile().places?["/var"] == .listen)
        #expect(profile().places?["."] == nil)
        #expect(profile().needs == .unixStreams)
        values.listen.append(.ipv4(0, port: 0))
        #expect(profile().ports == nil)
    }

    @Test func `variables name further files and folders`() throws {
        let places = try #require(
            profile(["SSL_CERT_FILE": "/var/authorities.pem", "SSL_CERT_DIR": "/srv/a:/srv/b"]).places)
        #expect(["/var", "/srv/a", "/srv/b"].allSatisfy { places[$0] == .read })
        // Nothing was searched for.
        #expect(places["/home"] == nil)
    }

    @Test mutating func `a module for hardware keys may use any file`() {
        values.pkcs11.module = "/usr/lib/module.so"
        #expect(profile().places == nil)
        #expect(profile().usesAbstractSockets)
        #expect(profile().needs == .module)
        #expect(profile().ports == [8080, 8090])
    }
}
