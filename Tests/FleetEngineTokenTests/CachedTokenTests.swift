import Testing

@testable import FleetEngineToken

/// What a cached token holds, and what that takes.
@Suite struct CachedTokenTests {
    private let jwt = (0..<800).map { UInt8(ascii: "A") + UInt8($0 % 26) }

    private func token(in answer: [UInt8], _ key: String = "t") throws -> CachedToken {
        let bench = try CacheBench()
        let minted = MintedToken(jwt: jwt, issuedAt: 1, expiresAt: 2)
        let rendered = RenderedToken(
            minted, rendered: answer, form: 5, annotation: "an annotation of more than 15 bytes")
        return bench.cache.insert(rendered, for: try bench.key(key), at: 1)
    }

    private func answer(tokens: Int) -> [UInt8] {
        Array("{".utf8) + (0..<tokens).flatMap { _ in Array("\"NAME\":\"".utf8) + jwt + Array("\",".utf8) } + [0x7D]
    }

    @Test(arguments: [1, 2])
    func `the text is the one in the answer`(tokens: Int) throws {
        let answer = answer(tokens: tokens)
        let token = try token(in: answer)
        #expect(token.rendered == answer)
        #expect(token.jwt == jwt)
        #expect(token.form == 5)
        #expect(RenderedToken(MintedToken(jwt: jwt, issuedAt: 1, expiresAt: 2), rendered: answer).bytes == answer)
    }

    @Test(arguments: ["", "no token", String(repeating: "A", count: 900)])
    func `an answer without the text has it beside it`(answer: String) throws {
        let token = try token(in: Array(answer.utf8))
        #expect(token.jwt == jwt)
        #expect(token.rendered == Array(answer.utf8))
    }

    @Test func `an answer is copied in parts of any length`() throws {
        for id in ["t", String(repeating: "i", count: 64)] {
            let answer = answer(tokens: 2)
            let token = try token(in: answer, id)
            for length in [1, 7, 247, 248, 249, 496, answer.count] {
                var copy: [UInt8] = []
                for start in stride(from: 0, to: answer.count, by: length) {
                    let range = start..<min(start + length, answer.count)
                    copy += [UInt8](unsafeUninitializedCapacity: range.count) { bytes, count in
                        if let target = bytes.baseAddress { token.copyAnswer(range, to: target) }
                        count = range.count
                    }
                }
                #expect(copy == answer, "\(length) bytes")
            }
        }
    }

    /// So that a megabyte holds at least 1.3 times as many tokens as when 512 bytes and both texts were counted.
    @Test(arguments: [1, 2])
    func `a token takes at most ten thirteenths of its texts`(tokens: Int) throws {
        for id in ["t-1", String(repeating: "i", count: 36), String(repeating: "i", count: 64)] {
            let bench = try CacheBench()
            let answer = answer(tokens: tokens)
            let minted = MintedToken(jwt: jwt, issuedAt: 1, expiresAt: 99)
            bench.cache.insert(RenderedToken(minted, rendered: answer), for: try bench.key(id), at: 1)
            let before = 512 + id.utf8.count + jwt.count + answer.count
            #expect(bench.cache.statistics.bytes * 13 <= before * 10, "\(bench.cache.statistics.bytes) of \(before)")
        }
    }
}

/// What values take from the allocator. A sanitizer replaces it.
@Suite struct AllocatedBytesTests {
    /// The allocator may give a value a free place that is a little larger, but not all of so many.
    private static let tries = 64

    @Test(arguments: [0, 15, 16, 31, 40, 500])
    func `the bytes of a token are those that the allocator uses`(annotation: Int) throws {
        let annotation = String(repeating: "a", count: annotation)
        let bench = try CacheBench()
        let minted = MintedToken(jwt: [1], issuedAt: 1, expiresAt: 2)
        let tokens = try (0..<Self.tries).map { number in
            bench.cache.insert(
                RenderedToken(minted, rendered: [1], annotation: annotation), for: try bench.key("\(number)"), at: 1)
        }
        let object = try #require(
            tokens.map { allocated(UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque())) }.min())
        #expect(AllocatedBytes.object(88) == object)
        let bytes = object + AllocatedBytes.text(annotation) + TokenText.blockBytes
        let overhead = ExpiringEntries<TokenKey.Digest, CachedToken>.overhead
        #expect(bench.cache.statistics.bytes == Self.tries * (overhead + bytes))
    }

    /// glibc keeps a value's whole size before it, with three bits of its own.
    private func allocated(_ value: UnsafeRawPointer) -> Int { Int((value - 8).load(as: UInt.self) & ~7) }
}
