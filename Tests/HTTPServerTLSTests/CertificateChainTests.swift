import TestSupport
import Foundation
import Testing

@testable import HTTPServerTLS

/// The chain of a server's certificate, and chains that clients would not accept.
struct CertificateChainTests {
    private static let day = 86_400
    private static let authority = "basicConstraints = critical, CA:TRUE"
    private static let server = ["extendedKeyUsage = serverAuth", "subjectAltName = DNS:localhost"]

    private let authority: TestAuthority

    init() throws { authority = try TestAuthority().issue("server", Self.server) }

    private var now: Int64 { Int64(Date().timeIntervalSince1970) }

    private func certificate(_ chain: [UInt8], key: String = "server") throws -> ServerCertificate {
        try ServerCertificate(
            chain: chain, key: authority.bytes("\(key).key"),
            source: ServerCertificate.Source(certificate: "cert.pem", key: "key.pem"))
    }

    private func problem(_ chain: [UInt8], key: String = "server") -> String {
        do {
            _ = try certificate(chain, key: key)
            return "none"
        } catch {
            return "\(error)"
        }
    }

    /// Only the first certificate of a file.
    private func alone(_ name: String) throws -> [UInt8] {
        let file = try authority.bytes(name)
        let end = Array("-----END CERTIFICATE-----\n".utf8)
        let length = try #require(file.indices.first { file[$0...].starts(with: end) })
        return Array(file.prefix(length + end.count))
    }

    private static func wrongIssuer(_ name: String, in place: Int) -> String {
        "cert.pem: has CN=\(name) in place \(place), which did not issue and sign the certificate before it; expected the "
            + "server's own first, and each followed by its issuer's"
    }

    @Test func `a chain serves with or without its root; a missing chain warns`() throws {
        let (leaf, middle, root) = try (alone("server.pem"), authority.bytes("middle.pem"), authority.bytes("ca.pem"))
        for chain in [leaf + middle, leaf + middle + root] {
            #expect(try certificate(chain).warnings(at: now) == [])
        }
        let bare = try certificate(leaf)
        #expect(
            bare.warnings(at: now) == [
                "cert.pem: the certificate of its issuer CN=middle is missing, so clients that do not have it will "
                    + "refuse the connection; expected the whole chain"
            ])
        #expect(bare.failure(at: now) == nil)
        let own = try ServerCertificate.selfSigned()
        #expect(own.warnings(at: now) == [])
    }

    @Test func `a chain with a wrong issuer or order is refused`() throws {
        let (leaf, middle, root) = try (alone("server.pem"), authority.bytes("middle.pem"), authority.bytes("ca.pem"))
        #expect(problem(leaf + root) == Self.wrongIssuer("ca", in: 2))
        #expect(problem(leaf + root + middle) == Self.wrongIssuer("ca", in: 2))
        #expect(problem(leaf + leaf + middle) == Self.wrongIssuer("server", in: 2))
        #expect(problem(leaf + middle + middle) == Self.wrongIssuer("middle", in: 3))
        #expect(problem(leaf + middle + root + root) == "none")
        // Another authority, with the same names.
        let other = try TestAuthority()
        #expect(try problem(leaf + other.bytes("middle.pem")) == Self.wrongIssuer("middle", in: 2))
        #expect(try problem(leaf + middle + other.bytes("ca.pem")) == Self.wrongIssuer("ca", in: 3))
    }

    @Test(arguments: [
        ([authority, "keyUsage = cRLSign"], [authority], "has CN=upper in place 3, which did not issue and sign"),
        (
            [authority + ", pathlen:0"], [authority],
            "has a certificate in place 3 that clients will not accept there (path length constraint exceeded)"
        ),
        (
            [authority], ["basicConstraints = CA:FALSE"],
            "has a certificate in place 2 that clients will not accept there (invalid CA certificate)"
        ),
        (
            [authority], [authority, "nameConstraints = permitted;DNS:example.com"],
            "has a certificate in place 1 that clients will not accept there (permitted subtree violation)"
        ),
    ])
    func `a chain that no client can verify is refused`(upper: [String], lower: [String], expected: String) throws {
        try authority.issue("upper", upper, by: ["ca"]).issue("lower", lower, by: ["upper"])
        try authority.issue("below", Self.server, by: ["lower"])
        #expect(try problem(authority.bytes("below.pem"), key: "below").hasPrefix("cert.pem: \(expected)"))
    }

    @Test func `a certificate for client authentication only is refused`() throws {
        try authority.issue("phone", [TestAuthority.clientUsage])
        #expect(
            try problem(authority.bytes("phone.pem"), key: "phone").hasPrefix(
                "cert.pem: has a certificate in place 1 that clients will not accept there (unsuitable certificate purpose)"
            ))
    }

    @Test(arguments: [
        (5, "expires in 5 days; expected a renewed one", false),
        (-8, "expired 8 days ago, so clients will not accept it", true),
    ])
    func `an authority that expires before the certificate gets the same warnings`(
        days: Int, expected: String, isExpired: Bool
    ) throws {
        try authority.issue(
            "short", [Self.authority], by: ["ca"], Validity(from: -40 * Self.day, until: days * Self.day + 600))
        try authority.issue("below", Self.server, by: ["short"], Validity(until: 90 * Self.day))
        let certificate = try certificate(authority.bytes("below.pem"), key: "below")
        let now = now + (isExpired ? 600 : 0)
        let sentence = "cert.pem: its authority CN=short in place 2 \(expected)"
        #expect(certificate.warnings(at: now) == [sentence])
        #expect(certificate.failure(at: now) == (isExpired ? sentence : nil))
        #expect(certificate.validityPeriod.name == "cert.pem")
        let end = now + Int64(days * Self.day)
        #expect((end - 60...end + 660).contains(certificate.validityPeriod.validity.upperBound))
        #expect(certificate.validityPeriod.validity.lowerBound < now - 39 * 86_400)
    }
}
