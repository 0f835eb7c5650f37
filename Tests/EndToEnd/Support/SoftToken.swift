import TestSupport
import Foundation
import Testing

/// A token of SoftHSM2 in a folder of its own, which is moved away to remove the token.
final class SoftToken {
    static let pin = "canary-pin-quokka"

    let scratch: Scratch
    let module: String
    /// For every program that uses the token.
    let environment: [String: String]
    /// The path of the file with the PIN.
    let pin: String

    init(in scratch: Scratch) throws {
        self.scratch = scratch
        module = try Self.requireInstalled()
        let conf = try scratch.write(
            "softhsm2.conf", "directories.tokendir = \(scratch.path("tokens"))\nlog.level = ERROR\n")
        environment = ["SOFTHSM2_CONF": conf]
        pin = try scratch.write("pin", "\(Self.pin)\n")
        try FileManager.default.createDirectory(atPath: scratch.path("tokens"), withIntermediateDirectories: false)
        try initialise("fleet")
    }

    /// Another token, or one more of this label.
    func initialise(_ label: String) throws {
        try Program.mustRun(
            "softhsm2-util",
            ["--init-token", "--free", "--label", label, "--pin", Self.pin, "--so-pin", "12345678"],
            environment: environment)
    }

    /// The SoftHSM2 module; everything else that these tests need is installed too.
    private static func requireInstalled() throws -> String {
        let folders = ["/usr/lib/softhsm", "/usr/lib64/pkcs11", "/usr/lib/pkcs11"]
        let module = folders.map { "\($0)/libsofthsm2.so" }.first(where: FileManager.default.fileExists)
        let tools = ["softhsm2-util", "pkcs11-tool"].allSatisfy { (try? Child.run(["which", $0]).status) == 0 }
        guard let module, tools else { throw MissingPackages() }
        return module
    }

    /// A module of OpenSC that logs the calls of another one.
    static func spy() throws -> String {
        let folders = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib").map { "/usr/lib/\($0)/pkcs11" }
        let paths = (["/usr/lib/pkcs11"] + folders).map { "\($0)/pkcs11-spy.so" }
        guard let path = paths.first(where: FileManager.default.fileExists) else { throw MissingPackages() }
        return path
    }

    struct MissingPackages: Error, CustomStringConvertible {
        let description =
            "SoftHSM2 is not installed; expected the packages softhsm2 and opensc"
    }

    /// Imports the private key of a file with this label and id.
    func add(_ key: ServiceAccountFile, label: String, id: String = "01", token: String = "fleet") throws {
        try add(pem: key.pem, label: label, id: id, token: token)
    }

    /// Imports a private key with this label and id.
    func add(pem: String, label: String, id: String = "01", token: String = "fleet") throws {
        let pem = try scratch.write("\(UUID().uuidString).pem", pem)
        try Program.mustRun(
            "softhsm2-util",
            ["--import", pem, "--token", token, "--label", label, "--id", id, "--pin", Self.pin, "--force"],
            environment: environment)
    }

    /// Runs `pkcs11-tool`, logged in.
    func tool(_ arguments: [String]) throws {
        let login = ["--module", module, "--token-label", "fleet", "--login", "--pin", Self.pin]
        try Program.mustRun("pkcs11-tool", login + arguments, environment: environment)
    }

    /// The token is removed, or put back.
    func set(present: Bool) throws {
        let (tokens, away) = (scratch.path("tokens"), scratch.path("away"))
        try #require(rename(present ? away : tokens, present ? tokens : away) == 0)
    }

    /// The settings of kinds that sign with keys of these labels, by the accounts of `key`, and of the token.
    func settings(
        _ labels: [(kind: String, label: String)], by key: ServiceAccountFile, module: String? = nil, pin: String? = nil
    ) -> String {
        settings(labels, account: key.account, keyID: key.keyID, module: module, pin: pin)
    }

    /// The same with an account and the id of its key.
    func settings(
        _ labels: [(kind: String, label: String)], account: String, keyID: String, module: String? = nil,
        pin: String? = nil
    ) -> String {
        let kinds = labels.map { kind, label in
            """
              \(kind): {key: "pkcs11:token=fleet;object=\(label)", email: \(account), key_id: \(keyID)}

            """
        }
        return "pkcs11: {module: \(module ?? self.module), pin: \(pin ?? self.pin)}\nkinds:\n\(kinds.joined())"
    }
}
