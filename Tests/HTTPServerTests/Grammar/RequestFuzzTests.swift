import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Requests mutated at random, from fixed seeds.
struct RequestFuzzTests {
    private static let words =
        [
            "\r\n", "\r", "\n", "\0", " ", "\t", ":", ",", "/", "?", "%", "%2f", "#", "@", "[", "]", "http://",
            "Host: a\r\n",
            "Content-Length: 5\r\n", "Content-Length: ", "Transfer-Encoding: chunked\r\n", "chunked",
            "Connection: close\r\n",
            "Expect: 100-continue\r\n", "HTTP/1.1", "HTTP/1.0", "GET ", "CONNECT ", "OPTIONS * ",
            "99999999999999999999", "\u{e9}",
        ].map { Array($0.utf8) }

    private static let corpus = PrefixTests.requests.map { Array($0.utf8) }

    private static func mutated(_ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = corpus.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let position = Int.random(in: 0...bytes.count, using: &generator)
            let end = Int.random(in: position...min(bytes.count, position + 12), using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0 where position < bytes.count: bytes[position] = .random(in: .min ... .max, using: &generator)
            case 1: bytes.removeSubrange(position..<end)
            case 2: bytes.insert(contentsOf: bytes[position..<end], at: position)
            case 3: bytes.replaceSubrange(position..<end, with: words.randomElement(using: &generator) ?? [])
            default: bytes.insert(contentsOf: words.randomElement(using: &generator) ?? [], at: position)
            }
        }
        return bytes
    }

    /// A prefix is incomplete, or has the same result as the whole.
    private static func isConsistent(_ prefix: RequestParser.Result, _ whole: RequestParser.Result) -> Bool {
        prefix == .incomplete || prefix == whole
    }

    @Test(arguments: UInt64(1)...8)
    func `a mutated request never traps, and no cut changes its result`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<25_000 {
            let bytes = Self.mutated(&generator)
            let whole = parse(bytes)
            let cut = Int.random(in: 0...bytes.count, using: &generator)
            let prefix = parse(Array(bytes[..<cut]))
            if !Self.isConsistent(prefix, whole) {
                Issue.record(
                    "\(prefix) at \(cut), \(whole) as a whole: \(String(reflecting: String(decoding: bytes, as: UTF8.self)))"
                )
            }
        }
    }

    @Test(arguments: UInt64(11)...12)
    func `under tight limits no cut changes a mutated request's result`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limits = HTTPLimits(maxLine: 24, maxHead: 64, maxFields: 3, maxDiscardedBody: 4)
        for _ in 0..<400 {
            let bytes = Self.mutated(&generator)
            let whole = parse(bytes, limits: limits)
            for cut in bytes.indices {
                let prefix = parse(Array(bytes[..<cut]), limits: limits)
                if !Self.isConsistent(prefix, whole) {
                    Issue.record(
                        "\(prefix) at \(cut), \(whole) as a whole: \(String(reflecting: String(decoding: bytes, as: UTF8.self)))"
                    )
                }
            }
        }
    }

    @Test(arguments: UInt64(21)...24)
    func `the parts of an accepted head lie inside it`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            let bytes = Self.mutated(&generator)
            guard let head = parse(bytes).head else { continue }
            #expect(head.length <= bytes.count)
            #expect(bytes[..<head.length].suffix(4) == Array("\r\n\r\n".utf8)[...])
            #expect(head.path.upperBound < head.fields.lowerBound)
            #expect(bytes[head.path].allSatisfy { Characters.pathCharacters.union("%".utf8).contains($0) })
            #expect(!bytes[..<head.length].contains(0))
        }
    }
}
