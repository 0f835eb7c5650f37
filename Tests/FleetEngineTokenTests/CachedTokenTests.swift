import Testing

@testable import FleetEngineToken

/// What a cached token holds, and what that takes.
@Suite struct CachedTokenTests {
    private let jwt = (0..<800).map { UInt8(ascii: "A") + UInt8($0 % 26) }

    private func token(in answer: [UInt8]) throws -> CachedToken {
        CachedToken(
            MintedToken(jwt: jwt, issuedAt: 1, expiresAt: 2), for: try CacheBench().key("t"), rendered: answer, form: 5,
            annotation: "an annotation of more than 15 bytes")
    }

    private func answer(tokens: Int) -> [UInt8] {
        Array("{".utf8) + (0..<tokens).flatMap { _ in Array("\"NAME\":\"".utf8) + jwt + Array("\",".utf8) } + [0x7D]
    }

    @Test(arguments: [1, 2])
    func `the text is the one in the answer`(tokens: Int) throws {
        let token = try token(in: answer(tokens: tokens))
        #expect(token.rendered == answer(tokens: tokens))
        #expect(Array(token.jwt) == jwt)
        #expect(
            token.jwt.withUnsafeBytes { $0.baseAddress }
                == token.rendered.withUnsafeBytes { $0.baseAddress.map { $0 + 9 } })
        #expect(token.form == 5)
    }

    @Test(arguments: ["", "no token", String(repeating: "A", count: 900)])
    func `an answer without the text has it beside it`(answer: String) throws {
        let token = try token(in: Array(answer.utf8))
        #expect(Array(token.jwt) == jwt)
        #expect(token.rendered == Array(answer.utf8))
    }

    /// Twice the number of tokens per megabyte would be 0.5; before, 512 bytes and both texts were counted.
    @Test(arguments: [1, 2])
    func `a token takes at most two thirds of its texts`(tokens: Int) throws {
        for id in ["t-1", String(repeating: "i", count: 36), String(repeating: "i", count: 64)] {
            let bench = try CacheBench()
            let answer = answer(tokens: tokens)
            let minted = MintedToken(jwt: jwt, issuedAt: 1, expiresAt: 99)
            bench.cache.insert(CachedToken(minted, for: try bench.key(id), rendered: answer), at: 1)
            let before = 512 + id.utf8.count + jwt.count + answer.count
            #expect(bench.cache.statistics.bytes * 3 <= before * 2, "\(bench.cache.statistics.bytes) of \(before)")
        }
    }
}

/// What values take from the allocator. A sanitizer replaces it.
@Suite struct AllocatedBytesTests {
    /// The allocator may give a value a free place that is a little larger, but not all of so many.
    private static let tries = 64

    @Test func `the bytes of values are those that the allocator uses`() throws {
        for count in [1, 7, 8, 9, 500, 1023] {
            let tokens = try (0..<Self.tries).map { _ in
                var spacious = [UInt8](repeating: 1, count: count)
                spacious.reserveCapacity(4000)
                return CachedToken(
                    MintedToken(jwt: [], issuedAt: 1, expiresAt: 2), for: try CacheBench().key("t"), rendered: spacious)
            }
            let rendered = try #require(tokens.map { allocated($0.rendered) }.min())
            let object = try #require(
                tokens.map { allocated(UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque())) }.min())
            #expect(AllocatedBytes.array(count) == rendered, "\(count) bytes")
            #expect(tokens[0].memory == object + rendered)
        }
    }

    /// An array's bytes begin after its header.
    private func allocated(_ array: [UInt8]) -> Int {
        array.withUnsafeBytes { bytes in bytes.baseAddress.map { allocated($0 - 32) } ?? 0 }
    }

    /// glibc keeps a value's whole size before it, with three bits of its own.
    private func allocated(_ value: UnsafeRawPointer) -> Int { Int((value - 8).load(as: UInt.self) & ~7) }
}
