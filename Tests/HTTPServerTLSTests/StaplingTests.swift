import ChildProcess
import TestCertificates
import Testing

@testable import HTTPServerTLS

/// What an authority says of a certificate, shown with it.
struct StaplingTests {
    private let authority: TestAuthority

    init() throws {
        authority = try TestAuthority().certify("server").certify("other", .rsa, for: ["other.test"])
    }

    private func certificate(_ name: String, response: String) throws -> ServerCertificate {
        try ServerCertificate(
            chain: authority.bytes("\(name).pem"), key: authority.bytes("\(name).key"),
            response: authority.bytes(response),
            source: ServerCertificate.Source(certificate: "cert.pem", key: "key.pem", response: "ocsp.der"))
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `who asks is shown what the authority said of the very certificate`(version: String) throws {
        try authority.vouch(for: "server")
        let server = try TLSTestServer(authority, showing: ["other"])
        try server.tls.replace([
            authority.certificate("other"), certificate("server", response: "server.der"),
        ])
        let good = try server.connect([version, "-status", "-servername", "localhost"]).output
        #expect(good.contains("OCSP Response Status: successful"))
        #expect(good.contains("Cert Status: good"))
        #expect(
            try server.connect([version, "-status", "-servername", "other.test"]).output
                .contains("OCSP response: no response sent"))
        #expect(try !server.connect([version, "-servername", "localhost"]).output.contains("OCSP Response Status"))
    }

    @Test func `a response whose time is over is not shown`() throws {
        try authority.vouch(for: "server")
        let response = try #require(certificate("server", response: "server.der").response)
        let end = try #require(response.expiresAt)
        #expect(response.serves(at: end - 1))
        #expect(!response.serves(at: end))
    }

    private func problem(_ response: String) -> String {
        do {
            _ = try certificate("server", response: response)
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test func `a response that does not say that this certificate is good is refused`() throws {
        try authority.vouch(for: "server")
        #expect(problem("server.der") == "none")
        try authority.vouch(for: "server", state: "R")
        #expect(problem("server.der") == "ocsp.der: does not say that the certificate is good")
        try authority.vouch(for: "other")
        #expect(
            problem("other.der")
                == "ocsp.der: says nothing of this certificate; expected a response about it")
        #expect(problem("server.pem") == "ocsp.der: is no successful OCSP response; expected one in DER")
    }
}
