import COpenSSL
import OpenSSLCrypto
import Testing

/// Serialized: a thread has one queue, and each test leaves it empty.
@Suite(.serialized) struct OpenSSLErrorQueueTests {
    private func fail() throws {
        let memory = try MemoryBIO(Array("no PEM".utf8))
        #expect(PEM_read_bio_PrivateKey(memory.pointer, nil, nil, nil) == nil)
    }

    @Test func `a failure reports everything in the queue and empties it`() throws {
        OpenSSLErrorQueue.clear()
        try fail()
        let failure = OpenSSLErrorQueue.failure(to: "read the key")
        #expect(failure.operation == "read the key")
        #expect(failure.reason != "no reason given" && !failure.reason.isEmpty)
        #expect(failure.description == "OpenSSL could not read the key: \(failure.reason)")
        #expect(OpenSSLErrorQueue.failure(to: "sign").reason == "no reason given")
    }

    @Test func `a cleared error is not attributed to a later call`() throws {
        try fail()
        OpenSSLErrorQueue.clear()
        #expect(OpenSSLErrorQueue.failure(to: "sign").sentence == "OpenSSL could not sign: no reason given")
    }
}
