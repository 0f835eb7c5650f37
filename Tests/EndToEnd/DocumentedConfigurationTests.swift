import Foundation
import TestSupport
import Testing

/// The configurations in the documentation, as `check` sees them.
@Suite(.blocking) struct DocumentedConfigurationTests {
    private let files: CallerFiles

    init() throws { files = try CallerFiles() }

    @Test func `check accepts every configuration in the documentation`() throws {
        try install()
        let token = try SoftToken(in: files.scratch)
        try token.add(files.key, label: "driver")
        let blocks = try DocumentedBlock.all().filter { $0.language == "yaml" }
        #expect(blocks.count > 20)
        for block in blocks {
            let configuration = try files.scratch.write("token-provider.yaml", whole(block))
            // Keyless signing would search elsewhere, and `check` asks no other service.
            let environment = token.environment.merging(["GOOGLE_APPLICATION_CREDENTIALS": files.key.path]) { $1 }
            let outcome = try Program.run(
                Program.daemon, ["check", "--config", configuration], environment: environment)
            #expect(outcome.status == 0, "\(block.page), \(block.section): \(outcome.errors)")
        }
    }

    @Test func `every identity provider has a configuration whose rule needs the claim`() throws {
        let blocks = try DocumentedBlock.all().filter { $0.page == "IdentityProviders" && $0.language == "yaml" }
        let sections = [
            "Firebase Auth", "Firebase session cookies", "Google Identity Platform", "Google sign-in", "Auth0",
            "Google's Identity-Aware Proxy",
            "Cloudflare Access", "Amazon Cognito", "Amazon Cognito", "Keycloak", "Okta", "Microsoft Entra ID",
            "Microsoft Entra ID", "SPIFFE",
        ]
        #expect(blocks.map(\.section) == sections)
    }

    /// A block with what its page leaves out: credentials, callers and certificates.
    private func whole(_ block: DocumentedBlock) -> String {
        var text = block.text.replacing("/var/lib/token-provider/", with: "")
            .replacing("/etc/token-provider/", with: "./")
        if !block.sets("credentials") { text = "credentials: key.json\n" + text }
        if !block.sets("callers", "issuers", "api_keys", "rules", "listeners") { text = "callers: none\n" + text }
        if block.sets("listeners"), !block.sets("tls") {
            let certificates = "certificates: [{certificate: tls.pem, key: tls.key}], client_ca_file: clients-ca.pem"
            text = "tls: {\(certificates)}\n" + text
        }
        return text
    }

    /// The files that the configurations name.
    private func install() throws {
        _ = try files.apiKey("dispatch")
        let authority = try TestAuthority().certify("server")
        try authority.listRevoked("clients")
        try authority.staple(for: "server")
        let copies = [
            ("server.pem", "tls.pem"), ("server.key", "tls.key"), ("server.der", "tls.ocsp"), ("ca.pem", "ca.pem"),
            ("ca.pem", "clients-ca.pem"), ("clients.crl", "clients.crl"),
        ]
        for (name, place) in copies {
            try files.scratch.write(place, "")
            try Data(authority.bytes(name)).write(to: URL(filePath: files.scratch.path(place)))
        }
        try files.scratch.write("tls.pass", "passphrase\n")
        try files.scratch.write("driver.json", files.scratch.text("key.json"))
    }
}
