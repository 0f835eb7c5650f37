import TestSupport
import Foundation
import Testing

@testable import HTTPServerTLS

/// Several certificates; each client is shown the one for the name that it requests.
struct ServerNameTests {
    private let server: TLSTestServer

    init() throws {
        let authority = try TestAuthority()
        try authority.certify("first", .rsa, for: ["a.test"])
        try authority.certify("second", .ecdsa, for: ["a.test"])
        try authority.certify("third", .ecdsa, for: ["*.b.test"])
        server = try TLSTestServer(authority, showing: ["first", "second", "third"])
    }

    private func shown(_ name: String?, _ arguments: [String] = []) throws -> String {
        let output = try server.connect((name.map { ["-servername", $0] } ?? ["-noservername"]) + arguments).output
        return output.split(separator: "\n").first { $0.hasPrefix("subject=") }.map(String.init) ?? output
    }

    @Test(arguments: [
        ("x.b.test", "third"), ("X.B.TEST", "third"), ("x.b.test.", "third"), ("x.y.b.test", "second"),
        ("c.test", "second"),
    ])
    func `a client gets the certificate for its name or the default`(name: String, expected: String) throws {
        #expect(try shown(name) == "subject=CN = \(expected)")
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `each client gets the certificate whose algorithm it supports`(version: String) throws {
        for name in ["a.test", nil] {
            #expect(try shown(name, [version, "-sigalgs", "ECDSA+SHA256"]) == "subject=CN = second")
            #expect(try shown(name, [version, "-sigalgs", "RSA-PSS+SHA256"]) == "subject=CN = first")
        }
    }

    @Test func `the chain is sent without its root`() throws {
        let output = try server.connect(["-servername", "x.b.test", "-showcerts"]).output
        #expect(output.components(separatedBy: "BEGIN CERTIFICATE").count == 3)
        #expect(output.contains("Verify return code: 0 (ok)"))
    }

    @Test func `replaced certificates serve new connections, and old tickets still resume`() throws {
        let session = server.authority.path("session")
        _ = try server.connect(["-servername", "x.b.test", "-sess_out", session])
        try server.authority.certify("fourth", for: ["x.b.test"])
        try server.tls.start(server.tls.load([server.authority.certificate("fourth")]))
        #expect(try shown("x.b.test") == "subject=CN = fourth")
        #expect(
            try server.connect(["-servername", "x.b.test", "-sess_in", session]).output.contains("Reused, TLSv1.3"))
    }

    @Test func `replaced certificates share the key that stays`() throws {
        let previous = server.tls.certificates
        try server.authority.certify("fourth", for: ["x.b.test"])
        let read = try [server.authority.certificate("first"), server.authority.certificate("fourth")]
        try server.tls.start(server.tls.load(read))
        let current = server.tls.certificates
        #expect(current[0] !== previous[0] && current[0].key !== read[0].key)
        #expect(previous.contains { $0.key === current[0].key })
        #expect(current[1].key === read[1].key)
        #expect(try shown("a.test") == "subject=CN = first")
    }
}
