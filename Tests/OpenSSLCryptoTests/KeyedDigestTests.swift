import Dispatch
import OpenSSLCrypto
import Synchronization
import Testing

@Suite struct KeyedDigestTests {
    @Test(arguments: [
        ([UInt8](repeating: 0x0B, count: 20), "Hi There", "b0344c61d8db3853"),
        (Array("Jefe".utf8), "what do ya want for nothing?", "5bdcc146bf60754e"),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f"
        ),
    ])
    func `the digests are those of RFC 4231, cut to 64 bits`(key: [UInt8], text: String, digest: String) throws {
        #expect(try KeyedDigest(key: key).hex(text) == digest)
    }

    @Test func `a text's digest is stable for a key and differs between keys`() throws {
        let first = try KeyedDigest.random()
        let second = try KeyedDigest.random()
        #expect(try first.hex("trip-1") == first.hex("trip-1"))
        #expect(try first.hex("trip-1") != first.hex("trip-2"))
        #expect(try first.hex("trip-1") != second.hex("trip-1"))
        #expect(try first.hex("").count == 16)
        #expect(try first.hex(String(repeating: "ü", count: 10_000)).utf8.count == 16)
    }

    @Test func `threads can share a keyed digest`() throws {
        let digest = try KeyedDigest.random()
        let expected = try (0..<100).map { try digest.hex("trip-\($0)") }
        let equal = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 400) { iteration in
            guard (try? digest.hex("trip-\(iteration % 100)")) == expected[iteration % 100] else { return }
            equal.add(1, ordering: .relaxed)
        }
        #expect(equal.load(ordering: .relaxed) == 400)
        #expect(Set(expected).count == 100)
    }
}
