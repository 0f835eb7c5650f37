import Testing

@testable import OpenSSLCrypto
@testable import OpenSSLSigner

@Suite struct HardwareRecoveryTests {
    private static let refusal = HardwareKeyError.refusedPIN(token: "\"fleet\"", PKCS11Code(value: 0xA0))

    private let fleet = [Array("fleet".utf8)]

    private func pin(_ text: String) throws -> TokenPIN { try TokenPIN(fileContent: Array(text.utf8)) }

    @Test func `attempts become rarer until one succeeds`() {
        var recovery = HardwareRecovery()
        #expect((0..<8).map { _ in recovery.delay() } == [250, 500, 1000, 2000, 4000, 5000, 5000, 5000])
        recovery.succeed()
        #expect(recovery.delay() == 250)
    }

    @Test func `a refused PIN is not tried again, another one is`() throws {
        var recovery = HardwareRecovery()
        var tried: [TokenPIN?] = []
        let wrong = try pin("1111")
        for _ in 0..<3 {
            #expect(throws: Self.refusal) {
                try recovery.using(wrong, on: fleet) { pin throws(HardwareKeyError) in
                    tried.append(pin)
                    throw Self.refusal
                }
            }
        }
        #expect(tried == [wrong])
        #expect(try recovery.using(pin("2222"), on: fleet) { _ throws(HardwareKeyError) in 5 } == 5)
        recovery.forgetRefusal()
        #expect(try recovery.using(wrong, on: fleet) { _ throws(HardwareKeyError) in 6 } == 6)
    }

    @Test func `a PIN that one token refuses is tried on another`() throws {
        var recovery = HardwareRecovery()
        #expect(throws: Self.refusal) {
            try recovery.using(pin("1111"), on: fleet) { _ throws(HardwareKeyError) in throw Self.refusal }
        }
        #expect(try recovery.using(pin("1111"), on: []) { _ throws(HardwareKeyError) in 7 } == 7)
    }

    @Test func `a PIN in place of a refused one is marked`() throws {
        var recovery = HardwareRecovery()
        #expect(throws: Self.refusal) {
            try recovery.using(pin("1111"), on: fleet) { _ throws(HardwareKeyError) in throw Self.refusal }
        }
        let read = { (pin: TokenPIN?) throws(HardwareKeyError) in pin?.isInsteadOfRefused }
        #expect(try recovery.using(pin("2222"), on: fleet, read) == true)
        #expect(try recovery.using(pin("1111"), on: fleet, read) == false)
    }

    @Test func `other failures do not block the PIN`() throws {
        var recovery = HardwareRecovery()
        for _ in 0..<2 {
            #expect(throws: HardwareKeyError.noToken(present: [])) {
                try recovery.using(pin("1111"), on: fleet) { _ throws(HardwareKeyError) in throw .noToken(present: []) }
            }
        }
        #expect(try recovery.using(pin("1111"), on: fleet) { _ throws(HardwareKeyError) in 1 } == 1)
    }
}
