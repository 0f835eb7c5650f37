import OpenSSLCrypto
import Testing

@Suite struct MemoryBIOTests {
    @Test(arguments: [[], [0], Array("-----BEGIN".utf8), [UInt8](repeating: 7, count: 100_000)])
    func `bytes can be read exactly once`(bytes: [UInt8]) throws {
        let memory = try MemoryBIO(bytes)
        #expect(memory.read() == bytes)
        #expect(memory.read().isEmpty)
    }
}
