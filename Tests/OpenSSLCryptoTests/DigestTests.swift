import Dispatch
import OpenSSLCrypto
import Synchronization
import TestSupport
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
    func `SHA-256 gives the example digests of FIPS 180`(text: String, digest: String) {
        #expect(SHA256Digest(of: Array(text.utf8)).bytes == bytes(hex: digest))
    }

    @Test func `concurrent digests are each correct`() {
        let expected = (0..<100).map { SHA256Digest(of: [UInt8](repeating: 7, count: $0)) }
        let wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            for count in 0..<100 where SHA256Digest(of: [UInt8](repeating: 7, count: count)) != expected[count] {
                wrong.add(1, ordering: .relaxed)
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(Set(expected).count == 100)
    }

    @Test func `equal bytes are equal digests, other bits or lengths are not`() throws {
        let one = (0..<32).map { UInt8($0) }
        let digest = try #require(SHA256Digest(bytes: one))
        #expect(digest.bytes == one)
        #expect(digest.equalsInConstantTime(try #require(SHA256Digest(bytes: one))))
        for index in one.indices {
            var other = one
            other[index] ^= 0x80
            let changed = try #require(SHA256Digest(bytes: other))
            #expect(!digest.equalsInConstantTime(changed))
            #expect(digest != changed)
        }
        #expect(SHA256Digest(bytes: one + [0]) == nil)
        #expect(SHA256Digest(bytes: Array(one.dropLast())) == nil)
    }

    @Test func `random bytes have the requested count and never repeat`() throws {
        #expect(try SecureRandom.bytes(0) == [])
        for count in [1, 32, 100_000] { #expect(try SecureRandom.bytes(count).count == count) }
        let keys = try (0..<1000).map { _ in try SecureRandom.bytes(32) }
        #expect(Set(keys).count == 1000)
        // The probability that 32,000 random bytes miss a given value is e^-125.
        #expect(Set(keys.joined()).count == 256)
    }
}
