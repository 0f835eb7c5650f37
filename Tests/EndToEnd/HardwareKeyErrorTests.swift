import TestSupport
import Foundation
import Testing

/// Keys in hardware that cannot be used: one sentence each, which names the setting.
@Suite(.blocking) struct HardwareKeyErrorTests {
    let scratch: Scratch
    let token: SoftToken
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        token = try SoftToken(in: scratch)
        key = try ServiceAccountFile(in: scratch)
    }

    /// The errors of `check`, with one kind that signs with the key of this label.
    private func errors(
        _ label: String = "driver", module: String? = nil, pin: String? = nil, environment: [String: String] = [:]
    ) throws -> String {
        try errors(of: token.settings([("driver", label)], by: key, module: module, pin: pin), environment: environment)
    }

    private func errors(of settings: String, environment: [String: String] = [:]) throws -> String {
        let config = try scratch.write("token-provider.yaml", "callers: none\n\(settings)")
        let outcome = try Program.run(
            Program.daemon, ["check", "--config", config],
            environment: token.environment.merging(["GOOGLE_APPLICATION_CREDENTIALS": ""]) { $1 }.merging(environment) {
                $1
            })
        #expect(outcome.status == 78, "\(outcome.output)")
        return outcome.errors
    }

    private func expect(_ sentence: String, _ errors: String) {
        #expect(errors == "token-provider: \(sentence)\n")
    }

    @Test func `an absent or ambiguous token or key is named`() throws {
        try token.add(key, label: "twin", id: "01")
        try token.add(ServiceAccountFile(in: scratch, name: "second"), label: "twin", id: "02")
        let key = "kinds.driver.key:"
        try expect(
            "\(key) the token \"fleet\" has no private key with these attributes; expected a private key",
            errors("none"))
        try expect(
            "\(key) the token \"fleet\" has 2 private keys with these attributes; expected one, such as by its id",
            errors("twin"))
        let elsewhere = token.settings([("driver", "twin")], by: self.key).replacing("token=fleet", with: "token=other")
        try expect(
            "\(key) no token has these attributes (present: \"fleet\"); expected one", errors(of: elsewhere))
        try token.initialise("fleet")
        try expect("\(key) 2 tokens have these attributes; expected one, such as by its serial", errors("twin"))
    }

    @Test func `a key that cannot make RS256 signatures is refused`() throws {
        let key = "kinds.driver.key:"
        try token.tool(["--keypairgen", "--key-type", "EC:prime256v1", "--id", "01", "--label", "curve"])
        try expect(
            "\(key) the private key is a key of type EC; expected RSA, which RS256 signs with", errors("curve"))
        try token.tool(["--keypairgen", "--key-type", "rsa:1024", "--id", "02", "--label", "short"])
        try expect("\(key) the private key is an RSA key of 1024 bits; expected at least 2048", errors("short"))
        try token.tool(["--keypairgen", "--key-type", "rsa:2048", "--id", "03", "--label", "asking", "--always-auth"])
        try expect(
            "\(key) the key requires the PIN again for each signature; expected a key without CKA_ALWAYS_AUTHENTICATE",
            errors("asking"))
        try token.tool(["--keypairgen", "--key-type", "rsa:2048", "--id", "04", "--label", "public"])
        try token.tool(["--delete-object", "--type", "privkey", "--label", "public"])
        try expect(
            "\(key) the token \"fleet\" has only a public key with these attributes; expected a private key",
            errors("public"))
    }

    @Test func `a wrong or missing PIN or its broken file is named`() throws {
        let wrong = try scratch.write("wrong", "1111\n")
        try expect(
            "pkcs11.pin: the token \"fleet\" refused the PIN: it is wrong; expected its user PIN, in another "
                + "content of the file", errors(pin: wrong))
        // No later start tries the PIN again, until another program has logged in.
        let few =
            "pkcs11.pin: the token \"fleet\" was given a wrong PIN and may lock, so none is tried; expected a login "
            + "with another program first, such as pkcs11-tool --login --test"
        try expect(few, errors(pin: wrong))
        try expect(few, errors())
        try token.tool(["--list-objects"])
        let gone = scratch.path("gone")
        try expect("pkcs11.pin: \(gone) cannot be opened: No such file or directory", errors(pin: gone))
        let empty = try scratch.write("empty", "\n")
        try expect("pkcs11.pin: \(empty) is empty; expected the PIN on one line", errors(pin: empty))
        let open = try scratch.write("open", "1111\n", permissions: 0o666)
        try expect(
            "pkcs11.pin: \(open) others can write this file and so lock the token; expected chmod go-w, or better "
                + "chmod 600", errors(pin: open))
        let none = token.settings([("driver", "driver")], by: key).replacing(", pin: \(token.pin)", with: "")
        try expect(
            "pkcs11.pin: the token \"fleet\" requires a PIN; expected the path of a file that holds it",
            errors(of: none))
    }

    @Test func `a module that is missing or none is named`() throws {
        let gone = scratch.path("gone.so")
        try expect(
            "pkcs11.module: \(gone) cannot be opened: No such file or directory; expected the PKCS #11 module of "
                + "the token",
            errors(module: gone))
        let text = try scratch.write("text.so", "no library\n")
        try expect(
            "pkcs11.module: \(text) cannot be loaded: file too short; expected the PKCS #11 module of the token",
            errors(module: text))
        let other = try LoadedLibrary.path(of: "libc.so.6")
        try expect(
            "pkcs11.module: \(other) has no function C_GetFunctionList; expected the PKCS #11 module of the token",
            errors(module: other))
    }

    @Test func `a module's bare name is that of the file that was checked`() throws {
        // The loader knows another library of this name.
        let text = try scratch.write("libcrypto.so.3", "no library\n")
        let settings = token.settings([("driver", "driver")], by: key, module: "libcrypto.so.3")
        try scratch.write("token-provider.yaml", "callers: none\n\(settings)")
        let outcome = try Program.run(
            "env", ["-C", scratch.folder.path, Program.daemon, "check", "--config", "token-provider.yaml"],
            environment: token.environment)
        #expect(outcome.status == 78)
        expect(
            "pkcs11.module: \(text) cannot be loaded: file too short; expected the PKCS #11 module of the token",
            outcome.errors)
    }

    @Test func `a wrong PIN is tried once for all kinds`() throws {
        let spy = try SoftToken.spy()
        let log = scratch.path("spy.log")
        let kinds = ["consumer", "driver", "delivery_consumer", "task_batch"]
        let wrong = try scratch.write("wrong", "1111\n")
        let errors = try errors(
            of: token.settings(kinds.map { ($0, "key-\($0)") }, by: key, module: spy, pin: wrong),
            environment: ["PKCS11SPY": token.module, "PKCS11SPY_OUTPUT": log])
        #expect(errors.count { $0 == "\n" } == 1, "\(errors)")
        #expect(try scratch.text("spy.log").ranges(of: ": C_Login\n").count == 1)
    }
}
