import FleetEngineToken
import OpenSSLCrypto
import Testing

@testable import ServiceConfiguration

@Suite struct HardwareKeySettingTests {
    private static let account = "email: d@fleet.iam.gserviceaccount.com, key_id: k-1"
    private static let key = "key: \"pkcs11:token=fleet;object=driver\""
    private static let module = "pkcs11: {module: /usr/lib/module.so, pin: ./pin}"

    private func refusal(_ driver: String, _ more: String = module) -> String {
        ServiceConfigurationTests.refusal(of: "\(more)\nkinds: {driver: {\(driver)}}")
    }

    @Test func `a key in hardware serves its kind, wildcard kinds too`() throws {
        let settings = "{\(Self.key), \(Self.account)}"
        let (configuration, warnings) = try resolve(
            "\(Self.module)\nkinds: {driver: \(settings), server: \(settings)}\n")
        #expect(TokenKind.allCases.filter { configuration.keyFile(of: $0) != nil } == [.driver, .server])
        let driver = configuration.kinds[.driver]
        #expect(driver.key == (try PKCS11URI("pkcs11:token=fleet;object=driver")))
        #expect(driver.email == "d@fleet.iam.gserviceaccount.com")
        #expect(driver.keyID == "k-1")
        #expect(configuration.pkcs11.module == "/usr/lib/module.so")
        #expect(configuration.files == ["./pin"])
        #expect(warnings.isEmpty)
    }

    @Test func `the common credentials sign the other kinds`() throws {
        let yaml = "credentials: /k.json\n\(Self.module)\nkinds: {driver: {\(Self.key), \(Self.account)}}\n"
        let (configuration, warnings) = try resolve(yaml)
        #expect(configuration.keyFile(of: .driver) == "pkcs11:token=fleet;object=driver")
        #expect(configuration.keyFile(of: .consumer) == "/k.json")
        #expect(configuration.credentialFiles.allSatisfy { $0 == "/k.json" })
        #expect(warnings.isEmpty)
    }

    @Test func `Google's variable adds no kind beside a key in hardware`() throws {
        let (configuration, _) = try resolve(
            "\(Self.module)\nkinds: {driver: {\(Self.key), \(Self.account)}}\n", environment: withCredentials)
        #expect(TokenKind.allCases.filter { configuration.keyFile(of: $0) != nil } == [.driver])
    }

    @Test func `settings that contradict or need each other are refused`() {
        let cases = [
            ("\(Self.key)", "kinds.driver.key is set without kinds.driver.email; expected both"),
            ("\(Self.key), email: a@b.example", "kinds.driver.key is set without kinds.driver.key_id; expected both"),
            (
                "\(Self.key), \(Self.account), credentials: /k.json",
                "kinds.driver.key and kinds.driver.credentials are both set; expected one of them"
            ),
            (
                "\(Self.key), \(Self.account), sign_as: a@b.example",
                "kinds.driver.key and kinds.driver.sign_as are both set; expected one of them"
            ),
            (
                "credentials: /k.json, email: a@b.example",
                "kinds.driver.email belongs to a key in hardware; expected kinds.driver.key"
            ),
            (
                "credentials: /k.json, key_id: k",
                "kinds.driver.key_id belongs to a key in hardware; expected kinds.driver.key"
            ),
        ]
        for (driver, sentence) in cases { #expect(refusal(driver).contains(sentence), "\(refusal(driver))") }
        let alone = refusal("\(Self.key), \(Self.account)", "")
        #expect(alone.hasSuffix("kinds.driver.key is set, but not how its token is reached; expected pkcs11.module"))
    }

    @Test(arguments: [
        ("key: /etc/key.pem", "does not begin with pkcs11:"),
        (
            "key: \"pkcs11:token=fleet;object=driver?pin-value=4711\"",
            "has pin-value, but a PIN belongs in the file that"
        ),
        ("key: \"pkcs11:token=fleet;pin-value=4711\"", "has pin-value, but a PIN belongs in the file that"),
        ("key: \"pkcs11:token=fleet;object=driver;4711\"", "has an unknown attribute; expected a PKCS #11 URI"),
        ("email: nobody", "is not an e-mail address"), ("key_id: \"a b\"", "is not the id of a key"),
    ])
    func `an invalid value is refused and a PIN not shown`(setting: String, sentence: String) {
        let sentences = refusal(setting)
        #expect(sentences.contains(sentence), "\(sentences)")
        #expect(!sentences.contains("4711"))
    }

    @Test func `a PIN in place of its file is refused and not shown`() {
        let sentences = refusal("\(Self.key), \(Self.account)", "pkcs11: {module: /m.so, pin: \"4711\"}")
        #expect(
            sentences.contains("pkcs11.pin: is not a path; expected the path of a file, with a slash"), "\(sentences)")
        #expect(!sentences.contains("4711"))
    }

    @Test func `an unlisted kind's key gives a warning`() throws {
        let yaml = """
            credentials: /k.json
            \(Self.module)
            kinds: {enabled: [consumer], driver: {\(Self.key), \(Self.account)}}
            """
        #expect(try resolve(yaml).warnings.map { $0.contains("kinds.driver.key: this key signs nothing") } == [true])
    }
}
