import Testing

@testable import OpenSSLCrypto

@Suite struct TokenPINTests {
    @Test(arguments: ["1234", "1234\n", "1234\r\n"])
    func `a file holds a PIN on one line`(content: String) throws {
        #expect(try TokenPIN(fileContent: Array(content.utf8)) == TokenPIN(fileContent: Array("1234".utf8)))
    }

    @Test(arguments: [
        ("", "is empty; expected the PIN on one line"), ("\n", "is empty; expected the PIN on one line"),
        ("1234\n5678\n", "is not a PIN; expected one line of at most 255 bytes"),
        ("12\u{0}34", "is not a PIN; expected one line of at most 255 bytes"),
        (String(repeating: "1", count: 256), "is not a PIN; expected one line of at most 255 bytes"),
    ])
    func `other content is refused`(content: String, predicate: String) {
        #expect(throws: TokenPINError(predicate: predicate)) { try TokenPIN(fileContent: Array(content.utf8)) }
    }

    @Test func `no description shows a PIN`() throws {
        let pin = try TokenPIN(fileContent: Array("canary-1234".utf8))
        var dumped = ""
        dump(pin, to: &dumped)
        for text in ["\(pin)", String(reflecting: pin), "\([pin])", dumped] {
            #expect(!text.contains("canary") && !text.contains("99"), "\(text)")
        }
    }
}
