import OpenSSLSigner
import Testing

@Suite struct DigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func `SHA-256 has the digests that FIPS 180 gives as examples`(text: String, digest: String) {
        #expect(SHA256Digest.of(Array(text.utf8)) == bytes(hex: digest))
    }

    @Test func `equal bytes are equal, and one bit, one byte or one length is a difference`() {
        for count in [0, 1, 31, 32, 33, 1000] {
            let one = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            #expect(ConstantTime.areEqual(one, Array(one)))
            #expect(!ConstantTime.areEqual(one, one + [0]))
            #expect(!ConstantTime.areEqual([0] + one, one))
            for index in one.indices {
                var other = one
                other[index] ^= 0x80
                #expect(!ConstantTime.areEqual(one, other))
            }
        }
    }

    @Test func `random bytes are as many as asked for and never the same`() throws {
        #expect(try SecureRandom.bytes(0) == [])
        for count in [1, 32, 100_000] { #expect(try SecureRandom.bytes(count).count == count) }
        let keys = try (0..<1000).map { _ in try SecureRandom.bytes(32) }
        #expect(Set(keys).count == 1000)
        // Of 32,000 bytes each value is seen unless its chance of e^-125 comes true.
        #expect(Set(keys.joined()).count == 256)
    }
}
