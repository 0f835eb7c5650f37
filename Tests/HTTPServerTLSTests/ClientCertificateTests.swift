import TestSupport
import Glibc
import Testing

@testable import HTTPServer
@testable import HTTPServerTLS

/// Clients that present certificates.
struct ClientCertificateTests {
    static let versions = ["1.2", "1.3"]
    private static let names = "subjectAltName = URI:spiffe://test/phone, DNS:Phone.example.com, email:a@example.com"

    private static func authority() throws -> TestAuthority {
        try TestAuthority().certify("server").issue("phone", [TestAuthority.clientUsage, names])
    }

    @Test(arguments: versions)
    func `a client is identified by all names of its trusted certificate`(version: String) throws {
        let authority = try Self.authority()
        let server = try TLSTestServer(
            authority, verifyingBy: authority.trust(), demanding: [.required, .optional, .none])
        let who = "CN=phone spiffe://test/phone Phone.example.com a@example.com"
        #expect(try server.run("show", version, as: "phone") == who)
        #expect(try server.run("show", version, as: "phone", on: 1) == who)
        #expect(try server.run("show", version, as: nil, on: 1) == "anonymous")
        #expect(try server.run("show", version, as: "phone", on: 2) == "anonymous")
        #expect(server.notices.isEmpty)
        #expect(try server.run("show", version, as: nil) == "refused")
        #expect(server.notices == [.certificateRefused("peer did not return a certificate")])
    }

    // MARK: Refusals

    @Test(arguments: RefusedCertificate.all, versions)
    func `an unacceptable client certificate is refused with a reason`(
        refused: RefusedCertificate, version: String
    ) throws {
        let authority = try Self.authority()
        try refused.issue(by: authority, listing: "all")
        let trust = try authority.trust(revocations: "all")
        for demand in [ClientDemand.required, .optional] {
            let server = try TLSTestServer(authority, verifyingBy: trust, demanding: [demand])
            #expect(try server.run("show", version, as: "bad") == "refused")
            let notice = try #require(server.notices.first.map { "\($0)" })
            #expect(notice.hasPrefix("certificateRefused(\"the client\\'s certificate (CN=bad) is refused: "))
            #expect(notice.hasSuffix("\(refused.reason)\")") && server.notices.count == 1)
            #expect(try server.run("show", version, as: "phone").hasPrefix("CN=phone"))
        }
    }

    @Test func `failed handshakes do not hide that a certificate was refused`() throws {
        let authority = try Self.authority()
        let server = try TLSTestServer(authority, verifyingBy: authority.trust(), demanding: [.required])
        for _ in 0..<3 { _ = try server.run("garbage", "100") }
        for _ in 0..<3 { #expect(try server.run("show", "1.3", as: nil) == "refused") }
        let refused = ServerNotice.certificateRefused("peer did not return a certificate")
        #expect(server.notices.contains(.handshakeFailed("wrong version number")))
        #expect(server.notices.filter { $0 == refused }.count == 3)
    }

    @Test(arguments: [
        (["ca"], 86_400, "unable to get certificate CRL"), (["ca", "middle"], -60, "CRL has expired"),
    ])
    func `no client is accepted while a revocation list is missing or expired`(
        signers: [String], seconds: Int, reason: String
    ) throws {
        let authority = try Self.authority()
        try authority.listRevoked("some", of: signers, seconds: seconds)
        let trust = try authority.trust(revocations: "some")
        let server = try TLSTestServer(authority, verifyingBy: trust, demanding: [.required])
        #expect(try server.run("show", "1.3", as: "phone") == "refused")
        #expect(server.notices == [.certificateRefused("the client's certificate (CN=phone) is refused: \(reason)")])
        let now = ServerTime.now().epochSeconds
        #expect(trust.warnings(at: now).count == (seconds < 0 ? signers.count : 0))
        #expect(trust.failure(at: now) == trust.warnings(at: now).first)
        #expect(trust.warnings(at: now + 1_000_000_000).count == 1 + signers.count)
    }

    @Test func `an authority's latest revocation list replaces an expired one`() throws {
        let authority = try Self.authority()
        try authority.listRevoked("previous", seconds: -60)
        try authority.listRevoked("next")
        let lists = try authority.bytes("previous.crl") + authority.bytes("next.crl")
        let trust = try authority.trust(by: authority.bytes("ca.pem"), revocations: lists)
        #expect(trust.revocationValidityPeriods.map(\.name) == ["CN=ca", "CN=middle"])
        let now = ServerTime.now().epochSeconds
        #expect(trust.warnings(at: now) == [] && trust.failure(at: now) == nil)
        let server = try TLSTestServer(authority, verifyingBy: trust, demanding: [.required])
        #expect(try server.run("show", "1.3", as: "phone").hasPrefix("CN=phone"))
    }

    @Test func `an expired authority is only a warning while another accepts clients`() throws {
        let authority = try Self.authority()
        let usage = ["basicConstraints = critical, CA:TRUE", "keyUsage = keyCertSign, cRLSign"]
        try authority.issue("old", usage, by: ["ca"], Validity(from: -7200, until: -3600))
        let (both, now) = (try authority.bytes("ca.pem") + authority.bytes("old.pem"), ServerTime.now().epochSeconds)
        let trust = try authority.trust(by: both)
        #expect(trust.failure(at: now) == nil)
        #expect(
            trust.warnings(at: now) == [
                "ca.pem: the authority CN=old expired 1 hour ago, so its clients are refused"
            ])
        let later = try #require(trust.failure(at: now + 1_000_000_000))
        #expect(later.hasPrefix("ca.pem: the authority CN=ca expired "))
    }

    @Test func `trust fails only when no authority can accept clients`() throws {
        let authority = try Self.authority()
        let usage = ["basicConstraints = critical, CA:TRUE", "keyUsage = keyCertSign, cRLSign"]
        try authority.issue("new", usage, by: ["ca"], Validity(from: 3600, until: 7200))
        let (ca, now) = (try authority.bytes("ca.pem"), ServerTime.now().epochSeconds)
        let renewed = try authority.trust(by: ca + authority.bytes("new.pem"))
        #expect(renewed.failure(at: now) == nil && renewed.warnings(at: now) == [])
        let alone = try authority.trust(by: authority.bytes("middle.pem"))
        #expect(try #require(alone.failure(at: now)).hasPrefix("ca.pem: no client can be accepted: "))
        let both = try authority.trust(by: ca + authority.bytes("middle.pem"))
        #expect(both.failure(at: now) == nil)
        // One authority has a list, which is enough; the other has none.
        try authority.listRevoked("some", of: ["ca"])
        let listed = try authority.trust(
            by: ca + authority.bytes("middle.pem"), revocations: authority.bytes("some.crl"))
        #expect(listed.failure(at: now) == nil)
        try authority.listRevoked("others", of: ["middle"])
        let unlisted = try authority.trust(by: ca, revocations: authority.bytes("others.crl"))
        #expect(unlisted.failure(at: now) != nil)
    }

    // MARK: Sessions

    @Test(arguments: versions)
    func `a resumed session keeps the client's identity`(version: String) throws {
        let authority = try Self.authority()
        let server = try TLSTestServer(authority, verifyingBy: authority.trust(), demanding: [.optional, .required])
        let who = "CN=phone spiffe://test/phone Phone.example.com a@example.com"
        #expect(try server.run("resume", version, as: "phone", on: 1) == "\(who) False \(who) True")
        #expect(try server.run("resume", version, as: nil) == "anonymous False anonymous True")
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `a session resumes only at listeners with the same certificate demand`(version: String) throws {
        let authority = try Self.authority()
        let server = try TLSTestServer(
            authority, verifyingBy: authority.trust(), demanding: [.optional, .required, .none])
        let session = authority.path("session")
        func connect(_ place: Int, _ arguments: [String]) throws -> String {
            let request = "GET /who HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let command = ["openssl", "s_client", "-connect", "127.0.0.1:\(server.port(place))", "-ign_eof", version]
            return try Child.run(command + arguments, input: request).output
        }
        #expect(try connect(0, ["-sess_out", session]).contains("anonymous"))
        #expect(try connect(0, ["-sess_in", session]).contains("Reused, "))
        for place in [1, 2] { #expect(try !connect(place, ["-sess_in", session]).contains("Reused, ")) }
        #expect(try !connect(1, ["-sess_in", session]).contains("HTTP/1.1 200"))
        #expect(try connect(2, ["-sess_out", session]).contains("anonymous"))
        for place in [0, 1] { #expect(try !connect(place, ["-sess_in", session]).contains("Reused, ")) }
    }

    @Test(arguments: versions, [true, false])
    func `revocation refuses only the revoked client, on connections and by ticket`(
        version: String, isRevoked: Bool
    ) throws {
        let authority = try Self.authority().issue("other", [TestAuthority.clientUsage])
        try authority.listRevoked("previous")
        let server = try TLSTestServer(
            authority, verifyingBy: authority.trust(revocations: "previous"), demanding: [.required])
        let output = try OutputPipe()
        let client = try Child(server.certified("held", version, "phone"), output: .pipe(output))
        let who = "CN=phone spiffe://test/phone Phone.example.com a@example.com"
        #expect(try output.read { $0.contains("\n") } == "\(who)\n")
        try authority.revoke(isRevoked ? "phone" : "other")
        try authority.listRevoked("next")
        try server.tls.start(
            server.tls.load([authority.certificate("server")], verifyingBy: authority.trust(revocations: "next")))
        client.send(SIGUSR1)
        // A session that was resumed under the previous trust is verified again.
        #expect(try output.read() == (isRevoked ? "end refused None\n" : "\(who) \(who) False\n"))
        let reason = "the client's certificate (CN=phone) is refused: certificate revoked"
        // The failed resumption is reported too if a second has passed.
        #expect(server.notices.first == (isRevoked ? .clientRefused(reason) : nil))
    }

    @Test func `tickets still resume after the trust is replaced by an equal one`() throws {
        let authority = try Self.authority()
        let server = try TLSTestServer(authority, verifyingBy: authority.trust(), demanding: [.required])
        let output = try OutputPipe()
        let client = try Child(server.certified("held", "1.3", "phone"), output: .pipe(output))
        _ = try output.read { $0.contains("\n") }
        try server.tls.start(server.tls.load([authority.certificate("server")], verifyingBy: authority.trust()))
        client.send(SIGUSR1)
        #expect(try output.read().hasSuffix("a@example.com True\n"))
    }

    @Test(arguments: versions)
    func `an expired client certificate ends its connection and its ticket`(version: String) throws {
        let authority = try Self.authority().issue("brief", [TestAuthority.clientUsage], Validity(until: 5))
        let server = try TLSTestServer(authority, verifyingBy: authority.trust(), demanding: [.required])
        #expect(try server.run("outlast", version, as: "brief") == "refused end")
        let notices = server.notices.map { "\($0)" }
        let suffix = "(CN=brief) is refused: certificate has expired\")"
        #expect(!notices.isEmpty && notices.allSatisfy { $0.hasSuffix(suffix) })
    }

    @Test func `trust cannot be removed while a listener demands certificates`() throws {
        let authority = try Self.authority()
        let server = try TLSTestServer(authority, verifyingBy: authority.trust(), demanding: [.required])
        #expect(throws: CertificateError.self) {
            try server.tls.start(server.tls.load([authority.certificate("server")]))
        }
        #expect(try server.run("show", "1.3", as: "phone").hasPrefix("CN=phone"))
    }

    // MARK: Files

    @Test func `files without authorities or with unusable revocation lists are refused`() throws {
        let authority = try Self.authority()
        try authority.listRevoked("all")
        let (ca, list, phone) = (try authority.bytes("ca.pem"), try authority.bytes("all.crl"), "phone.pem")
        for (authorities, revocations, sentence) in [
            ([], nil, "ca: is empty; expected the lines -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----"),
            (
                try authority.bytes(phone), nil,
                "ca: has the certificate of CN=phone, which is not an authority; expected only authorities"
            ),
            (
                ca, Array("nothing".utf8),
                "crl: is not PEM: it does not begin with a -----BEGIN line; expected the lines -----BEGIN X509 CRL----- to "
                    + "-----END X509 CRL-----"
            ),
            (
                try TestAuthority().bytes("ca.pem"), list,
                "crl: has a list in the name of CN=ca that it did not sign; expected its signature"
            ),
        ] as [([UInt8], [UInt8]?, String)] {
            let error = #expect(throws: CertificateError.self) {
                try ClientTrust(
                    authorities: authorities, revocations: revocations,
                    source: ClientTrust.Source(authorities: "ca", revocations: "crl")
                ) { TestIdentity($0) }
            }
            #expect(error?.sentence == sentence)
        }
    }

    // MARK: Floods

    @Test(arguments: [(16, "HTTP/1.1 200 OK"), (100_000, "end")])
    func `a peer that updates its keys too often is refused`(count: Int, ending: String) throws {
        let server = try TLSTestServer()
        let script = TLSTestServer.script("key_updates.py")
        #expect(try Child.mustRun(["python3", script, server.port, "\(count)"]) == "\(ending)\n")
        let reason = "its peer sent too many key updates or handshakes in a second"
        #expect(server.notices == (count > 16 ? [.clientRefused(reason)] : []))
        #expect(try server.run("bytewise") == "HTTP/1.1 200 OK")
    }
}
