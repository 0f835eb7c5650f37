/// A client certificate that a server must refuse although it trusts the test authority.
package struct RefusedCertificate: Sendable, CustomStringConvertible {
    package let description: String
    /// The end of OpenSSL's reason.
    package let reason: String
    private let authorities: [String]
    private let make: @Sendable (TestAuthority) throws -> Void

    private init(
        _ description: String, _ reason: String, authorities: [String] = [],
        _ make: @escaping @Sendable (TestAuthority) throws -> Void
    ) {
        (self.description, self.reason, self.authorities, self.make) = (description, reason, authorities, make)
    }

    /// Creates `bad.pem` and `bad.key`, and `NAME.crl` with the revocation lists of all authorities.
    package func issue(by authority: TestAuthority, listing name: String) throws {
        try make(authority)
        try authority.listRevoked(name, of: ["ca", "middle"] + authorities)
    }

    /// One of each kind.
    package static let all = [
        RefusedCertificate("expired", "certificate has expired") {
            try $0.issue("bad", [TestAuthority.clientUsage], Validity(from: -7200, until: -3600))
        },
        RefusedCertificate("not yet valid", "certificate is not yet valid") {
            try $0.issue("bad", [TestAuthority.clientUsage], Validity(from: 3600, until: 7200))
        },
        RefusedCertificate(
            "of another authority", "unable to get local issuer certificate, for its authority CN=middle"
        ) {
            let other = try TestAuthority().issue("bad", [TestAuthority.clientUsage])
            for file in ["bad.pem", "bad.key"] {
                try Child.mustRun(["cp", other.path(file), $0.path(file)])
            }
        },
        RefusedCertificate("of its own", "self-signed certificate") {
            try Child.mustRun(
                ["openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-subj"]
                    + ["/CN=bad", "-keyout", $0.path("bad.key"), "-out", $0.path("bad.pem")])
        },
        RefusedCertificate("for servers", "certificate purpose") {
            try $0.issue("bad", ["extendedKeyUsage = serverAuth"])
        },
        RefusedCertificate("revoked", "certificate revoked") {
            try $0.issue("bad", [TestAuthority.clientUsage])
            try $0.revoke("bad")
        },
        RefusedCertificate(
            "beneath an authority that may have none beneath it",
            "path length constraint exceeded, for its authority CN=narrow", authorities: ["narrow", "beneath"]
        ) {
            let usage = "keyUsage = keyCertSign, cRLSign"
            try $0.issue("narrow", ["basicConstraints = critical, CA:TRUE, pathlen:0", usage], by: ["ca"])
            try $0.issue("beneath", ["basicConstraints = critical, CA:TRUE", usage], by: ["narrow", "ca"])
            try $0.issue("bad", [TestAuthority.clientUsage], by: ["beneath", "narrow"])
        },
    ]
}
