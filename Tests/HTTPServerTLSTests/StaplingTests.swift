import TestSupport
import Testing

@testable import HTTPServerTLS

/// OCSP responses, stapled to their certificates.
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
    func `a client that asks gets the certificate's OCSP response`(version: String) throws {
        try authority.staple(for: "server")
        let server = try TLSTestServer(authority, showing: ["other"])
        try server.tls.start(
            server.tls.load([
                authority.certificate("other"), certificate("server", response: "server.der"),
            ]))
        let good = try server.connect([version, "-status", "-servername", "localhost"]).output
        #expect(good.contains("OCSP Response Status: successful"))
        #expect(good.contains("Cert Status: good"))
        #expect(
            try server.connect([version, "-status", "-servername", "other.test"]).output
                .contains("OCSP response: no response sent"))
        #expect(try !server.connect([version, "-servername", "localhost"]).output.contains("OCSP Response Status"))
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `a response outside its validity period is not shown`(version: String) throws {
        let server = try TLSTestServer(authority)
        for (shift, isShown) in [("-3d", false), ("+1h", false), ("+2m", true), ("-23h", true)] {
            try authority.staple(for: "server", shift: shift)
            try server.tls.start(server.tls.load([certificate("server", response: "server.der")]))
            let output = try server.connect([version, "-status", "-servername", "localhost"]).output
            #expect(output.contains("OCSP Response Status: successful") == isShown, "\(shift)")
            #expect(output.contains("OCSP response: no response sent") != isShown, "\(shift)")
            #expect(output.contains("Verify return code: 0 (ok)"), "\(shift)")
        }
    }

    @Test func `an expired response is a warning but not a failure`() throws {
        try authority.staple(for: "server")
        let certificate = try certificate("server", response: "server.der")
        let period = try #require(certificate.responseValidityPeriod)
        let (begin, end) = (period.validity.lowerBound, period.validity.upperBound)
        #expect(period.name == "cert.pem")
        #expect((86_700...86_701).contains(end - begin))
        #expect(certificate.warnings(at: begin + 300) == [])
        #expect(
            certificate.warnings(at: end - 3600)
                == ["ocsp.der: the OCSP response expires in 1 hour; expected a renewed one"])
        #expect(
            certificate.warnings(at: end + 7200)
                == ["ocsp.der: the OCSP response expired 2 hours ago, so it is not shown"])
        #expect(certificate.failure(at: end + 7200) == nil)
        let response = try #require(certificate.response)
        #expect(response.validityPeriod.validity.contains(end))
        #expect(!response.validityPeriod.validity.contains(end + 1))
        #expect(!response.validityPeriod.validity.contains(begin - 1))
    }

    private func problem(_ response: String) -> String {
        do {
            _ = try certificate("server", response: response)
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test func `a response that does not confirm this certificate is refused`() throws {
        for options in [[], ["-sha256"]] {
            try authority.staple(for: "server", options)
            #expect(problem("server.der") == "none")
        }
        try authority.staple(for: "server", state: "R")
        #expect(problem("server.der") == "ocsp.der: does not say that the certificate is good")
        try authority.staple(for: "other")
        #expect(
            problem("other.der")
                == "ocsp.der: does not mention this certificate; expected a response about it")
        #expect(problem("server.pem") == "ocsp.der: is not a successful OCSP response; expected one in DER")
    }

    @Test(arguments: [[0x0A], [0], [UInt8](repeating: 0x30, count: 100)])
    func `a response with trailing or missing bytes is refused`(rest: [UInt8]) throws {
        try authority.staple(for: "server")
        let whole = try authority.bytes("server.der")
        for (bytes, sentence) in [
            (whole + rest, "has bytes after the OCSP response; expected one in DER and nothing else"),
            (Array(whole.dropLast(rest.count)), "is not a successful OCSP response; expected one in DER"),
        ] {
            #expect(throws: CertificateError("ocsp.der", sentence)) {
                try ServerCertificate(
                    chain: authority.bytes("server.pem"), key: authority.bytes("server.key"), response: bytes,
                    source: ServerCertificate.Source(certificate: "cert.pem", key: "key.pem", response: "ocsp.der"))
            }
        }
    }

    @Test func `a response not signed by the authority is refused`() throws {
        // Another authority with the same names, and its responder; certificates that may not sign; one by another
        // issuer.
        let (other, usage) = (try TestAuthority(), "extendedKeyUsage = OCSPSigning")
        try authority.issue("plain", [TestAuthority.clientUsage]).issue("above", [usage], by: ["ca"])
        try other.issue("responder", [usage])
        for signer in [
            other.path("middle"), other.path("responder"), authority.path("plain"), authority.path("above"),
            authority.path("server"),
        ] {
            try authority.staple(for: "server", signer: signer)
            let sentence = problem("server.der")
            #expect(
                sentence.hasPrefix("ocsp.der: is not signed by CN=middle or a responder that it authorised ("),
                "\(signer)")
            #expect(sentence.hasSuffix("); expected a response from that authority"))
        }
    }

    @Test func `a delegated responder's response is shown until the responder's certificate expires`() throws {
        try authority.issue("responder", ["extendedKeyUsage = OCSPSigning"], Validity(until: 7200))
        try authority.staple(for: "server", signer: authority.path("responder"))
        let certificate = try certificate("server", response: "server.der")
        let server = try TLSTestServer(authority)
        try server.tls.start(server.tls.load([certificate]))
        #expect(try server.connect(["-status"]).output.contains("OCSP Response Status: successful"))
        let validity = try #require(certificate.responseValidityPeriod).validity
        #expect((7000...7500 + 300).contains(validity.upperBound - validity.lowerBound))
    }

    @Test func `a response cannot be verified without the chain`() throws {
        try authority.staple(for: "server")
        let own = try authority.bytes("server.pem")
        let alone = try own.prefix(own.count - authority.bytes("middle.pem").count)
        #expect(
            throws: CertificateError(
                "ocsp.der", "cannot be verified without the certificate's chain; expected the chain too")
        ) {
            try ServerCertificate(
                chain: Array(alone), key: authority.bytes("server.key"), response: authority.bytes("server.der"),
                source: ServerCertificate.Source(certificate: "cert.pem", key: "key.pem", response: "ocsp.der"))
        }
    }
}
