import Foundation
import TestSupport
import Testing

@testable import ServiceConfiguration
@testable import TokenProvider

/// A file that somebody else may have written is refused, whichever setting names it.
@Suite struct TrustedSettingTests {
    /// What a setting of the table has to do with files.
    private enum Use {
        /// Each of these configurations reads the file FILE.
        case read([String])
        /// This configuration writes the file FILE.
        case written(String)
        /// It names no file whose content is trusted, for this reason.
        case untrusted(String)
    }

    private static let rule = "rules: [{name: a, kinds: consumer, ids: {tripID: any}}]"
    private static let issuer = "issuer: https://id.test, audiences: a, algorithms: RS256, keys: FILE"
    private static let hardware =
        "kinds: {enabled: consumer, consumer: {key: 'pkcs11:token=t;object=o', email: a@b.iam.gserviceaccount.com, "
        + "key_id: 0123456789abcdef0123456789abcdef01234567}}"

    private static let uses: [String: Use] = [
        "credentials": .read(["credentials: FILE"]),
        "signing.batch": .untrusted("such a library is not loaded, so tokens are signed one at a time"),
        "pkcs11.module": .read(["pkcs11: {module: FILE}\n\(hardware)"]),
        "pkcs11.pin": .read(["pkcs11: {module: LIBRARY, pin: FILE}\n\(hardware)"]),
        "api_keys.file": .read(["api_keys: {file: FILE}\n\(rule)"]),
        "issuers.keys": .read(["issuers: [{\(issuer)}]\n\(rule)"]),
        "issuers.keys_token_file": .read([
            "issuers: [{issuer: a, audiences: b, algorithms: RS256, keys: 'https://a.example', keys_token_file: FILE}]\n\(rule)"
        ]),
        "outgoing.proxy": .read(["outgoing: {proxy: FILE}"]),
        "outgoing.ca_file": .read([
            "outgoing: {ca_file: FILE}", "outgoing: {ca_file: FILE}\nissuers: [{issuer: wrong}]",
        ]),
        "tls.client_ca_file": .read(["tls: {client_ca_file: FILE}"]),
        "tls.client_crl_file": .read(["tls: {client_ca_file: TRUSTED, client_crl_file: FILE}"]),
        "tls.certificates.certificate": .untrusted("another one does not fit the key"),
        "tls.certificates.key": .read(["tls: {certificates: [{certificate: TRUSTED, key: FILE}]}"]),
        "tls.certificates.passphrase_file": .read([
            "tls: {certificates: [{certificate: TRUSTED, key: TRUSTED, passphrase_file: FILE}]}"
        ]),
        "tls.certificates.ocsp_response": .untrusted("the certificate's authority signs it"),
        "audit.file": .written("audit: {output: file, file: FILE}"),
        "audit.checkpoints": .written("audit: {output: stdout, checkpoints: FILE}"),
        "listen": .untrusted("a socket, which is made new"),
        "tls.listen": .untrusted("a socket, which is made new"),
        "admin.listen": .untrusted("a socket, which is made new"),
        "listeners.address": .untrusted("a socket, which is made new"),
        "cors.allowed_origins": .untrusted("origins of web pages"),
        "audit.output": .untrusted("where the audit log goes, not a file of it"),
    ]

    /// Members of records that name no file.
    private static let plainMembers: Set = [
        "issuers.issuer", "issuers.spiffe_trust_domain", "issuers.audiences", "issuers.audience_claim",
        "issuers.algorithms", "issuers.tenants",
        "issuers.allow_plain_http",
        "issuers.type", "issuers.principal", "issuers.header", "issuers.leeway", "issuers.keep_keys", "rules.name",
        "rules.kinds", "rules.issuers", "rules.api_keys", "rules.certificates", "rules.forward_auth", "rules.claims",
        "rules.ids", "listeners.tls", "listeners.client_certificates", "listeners.serves", "listeners.h2c",
    ]

    /// The settings, and the members of records, that may name a file.
    private static let settings = SettingsTable.all.flatMap { setting in
        if setting.isOfRecords { return members(of: setting.path).filter { !plainMembers.contains($0) } }
        // A URL or an origin has a path, but is no file.
        let expectation = setting.expectation.lowercased().replacing(/https?:\S+/, with: "")
        return ["path", "file"].contains(where: expectation.contains) ? [setting.path] : []
    }

    /// All members of a setting's records, as the refusal of another one lists them.
    private static func members(of setting: String) -> [String] {
        let yaml = setting.split(separator: ".").reversed().reduce("[{unknown: 1}]") { "{\($1): \($0)}" }
        let folder = try? Scratch()
        let path = try? folder?.write("token-provider.yaml", yaml)
        let report = CheckReport(Configuration.read(file: path, flags: ConfigurationFlags(), environment: [:]))
        let list = report.errors.lazy.compactMap { $0.firstMatch(of: /unknown key; expected one of (.*)/)?.1 }.first
        return (list ?? "").split(separator: ", ").map { "\(setting).\($0)" }
    }

    @Test func `members of records are found by the refusal of an unknown one`() {
        #expect(Self.settings.contains("tls.certificates.key") && Self.settings.contains("issuers.keys"))
        #expect(Set(Self.members(of: "rules")).isSubset(of: Self.plainMembers))
    }

    private static func use(of setting: String) -> Use? {
        let parts = setting.split(separator: ".")
        guard parts.count == 3, parts[0] == "kinds", parts[2] == "credentials" else { return uses[setting] }
        return .read(["kinds: {enabled: \(parts[1]), \(parts[1]): {credentials: FILE}}"])
    }

    @Test(arguments: settings)
    func `a file that others can write is refused, so is another user's`(setting: String) throws {
        switch Self.use(of: setting) {
        case nil: Issue.record("the table of this test does not say what \(setting) does with a file")
        case .untrusted: return
        case .written(let configuration):
            let (folder, trusted) = (try Scratch(), try Scratch())
            let file = folder.path("f")
            let yaml = configuration.replacing("FILE", with: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.folder.path)
            // Whether or not the file exists. Its owner is who runs the daemon, or root, who may check for another user.
            expect("where others can replace it and so change the record", of: yaml, in: trusted)
            try folder.write("f", "", permissions: 0o666)
            expect("others can write this file and so change the record", of: yaml, in: trusted)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            expect("where others can replace it and so change the record", of: yaml, in: trusted)
        case .read(let configurations):
            for configuration in configurations {
                let folder = try Scratch()
                let (file, trusted) = (try folder.write("f", ""), try folder.write("t", ""))
                // A library of root's, which need not be a PKCS #11 module.
                let library = try LoadedLibrary.path(of: "libcrypto.so.3")
                let yaml = configuration.replacing("FILE", with: file).replacing("TRUSTED", with: trusted)
                    .replacing("LIBRARY", with: library)
                try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
                expect("others can write this file and so ", of: yaml, in: folder)
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
                try Child.mustRun((geteuid() == 0 ? [] : ["sudo", "-n"]) + ["chown", "12345", file])
                expect("belongs to user 12345, who can write it and so ", of: yaml, in: folder)
            }
        }
    }

    private func expect(_ refusal: String, of yaml: String, in folder: Scratch) {
        let path = try? folder.write("token-provider.yaml", "\(yaml)\n")
        let report = CheckReport(Configuration.read(file: path, flags: ConfigurationFlags(), environment: [:]))
        #expect(report.errors.contains { $0.contains(refusal) }, "\(yaml): \(report.errors)")
    }
}
