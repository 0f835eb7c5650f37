import Foundation
import Testing

@testable import OpenSSLCrypto

/// What operators do about a key in hardware that cannot be used.
@Suite struct HardwareKeyErrorTests {
    private static let errors: [(HardwareKeyError, cure: String)] = [
        (.untrusted(module: "/m.so", "can be written by others"), "let only root"),
        (.module("/m.so", "is empty"), "set pkcs11.module"),
        (.otherModule(than: "/m.so"), "restart the daemon"), (.noAnswer, "connect the device, or the network"),
        (.stillInUse, "connect the device again"),
        (.call("C_Initialize", PKCS11Code(value: 5)), "connect the device, and make its module list it"),
        (.pinFile("/pin is empty"), "put the PIN into"), (.noPIN(token: "t"), "write the PIN into a file"),
        (.refusedPIN(token: "t", PKCS11Code(value: 0xA0)), "put the token's user PIN"),
        (.fewTries(token: "t"), "log in once"),
        (.pinLocked(token: "t"), "have the token's security officer"),
        (.otherPIN(token: "t"), "put the previous PIN back"),
        (.noToken(present: []), "connect the token, or"), (.severalTokens(2), "add the serial number"),
        (.noKey(token: "t", hasPublicKey: false), "put the private key on"),
        (.severalKeys(token: "t", 2), "add the id"),
        (.asksForPIN, "make another key"), (.otherKey, "add the new key to its account"),
        (.unusable("is short"), "make an RSA key"),
        (.noSignature("C_Sign", PKCS11Code(value: 0x68)), "connect the device, and let the key sign"),
    ]

    @Test func `each reason has a cure of its own`() throws {
        for (error, cure) in Self.errors {
            #expect(error.cure.hasPrefix(cure), "\(error.sentence(about: "key"))")
            #expect(error.cure.last != "." && error.command?.isEmpty != true)
        }
        #expect(Set(Self.errors.map(\.0.cure)).count == Self.errors.count)
        // A reason that is not among them fails here.
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/OpenSSLCrypto/Hardware/HardwareKeyError.swift")
        let text = try String(contentsOf: source, encoding: .utf8)
        #expect(
            text.matches(of: /static (func .*-> HardwareKeyError \{|let \w+ = HardwareKeyError\()/).count
                == Self.errors.count)
    }
}
