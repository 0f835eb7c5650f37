import FleetEngineToken
import Foundation
import OpenSSLCrypto
import OpenSSLSigner
import TestSupport
import Testing

@Suite struct RS256SignerTests {
    @Test func `openssl verifies a minted token with the signer's public key`() throws {
        let signer = try RS256Signer(account: "a@b.example", keyID: "k", privateKey: KeyFixture.key())
        let minter = TokenMinter(signer: signer, policy: try TokenPolicy())
        let token = try minter.mint(.trip(FleetEngineID("trip-1")), at: 1_700_000_000)
        let parts = token.jwt.split(separator: UInt8(ascii: "."))
        let text = String(decoding: parts[2], as: UTF8.self)
            .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let signature = try #require(Data(base64Encoded: text + "=="))
        try OpenSSLCommand.inFolder { folder in
            try Data(parts[0] + [UInt8(ascii: ".")] + parts[1]).write(to: URL(fileURLWithPath: "\(folder)/input"))
            try signature.write(to: URL(fileURLWithPath: "\(folder)/signature"))
            try signer.publicKeyPEM().write(toFile: "\(folder)/public", atomically: true, encoding: .utf8)
            let verdict = try OpenSSLCommand.run(
                "dgst", "-sha256", "-verify", "\(folder)/public", "-signature", "\(folder)/signature", "\(folder)/input"
            )
            #expect(verdict == "Verified OK\n")
        }
    }

    @Test func `a valid key can be probed again at any time`() throws {
        let signer = try RS256Signer(account: "a@b.example", keyID: "k", privateKey: KeyFixture.key())
        try signer.probe()
        #expect(signer.account == "a@b.example")
        #expect(signer.keyID == "k")
    }

    @Test func `the demo's account cannot exist`() throws {
        let signer = try RS256Signer.demo()
        #expect(signer.account == "demo@not-a-real-project.invalid")
        #expect(signer.keyID == "demo-key")
        #expect(try signer.sign([1]).count == 256)
    }

    @Test(arguments: BrokenKey.allCases)
    func `a key whose numbers do not match is refused at load`(broken: BrokenKey) throws {
        let pem = try broken.pem(of: KeyFixture.pem())
        let error = #expect(throws: KeyError.self) {
            try RS256Signer(account: "a@b.example", keyID: "k", privateKey: RSAPrivateKey(pem: Array(pem.utf8)))
        }
        expectNoKeyBytes(in: (error?.sentence ?? "") + String(reflecting: error))
        let file = #expect(throws: CredentialError.self) {
            try ServiceAccountKey.load(
                json: KeyFixture.json(["private_key": pem]), source: "key.json", allowDefaultServiceAccounts: false)
        }
        #expect(file?.sentence == "key.json: private_key \(error?.problem ?? "")")
    }

    @Test func `a key that was only written again is unchanged`() throws {
        let pem = try PKCS1Key(pem: KeyFixture.pem()).pem()
        #expect(pem == (try KeyFixture.pem()))
    }
}

extension KeyFixture {
    static func key() throws -> RSAPrivateKey { try RSAPrivateKey(pem: Array(pem().utf8)) }
}
