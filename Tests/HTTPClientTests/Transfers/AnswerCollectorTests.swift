import Testing

@testable import HTTPClient

struct AnswerCollectorTests {
    private func collect(_ lines: [String], body: [String] = [], limit: Int = 10) -> AnswerCollector {
        var collector = AnswerCollector(maxBodyBytes: limit)
        for line in lines { _ = Array(line.utf8).withUnsafeBytes { collector.takeLine($0) } }
        for piece in body { _ = Array(piece.utf8).withUnsafeBytes { collector.takeBody($0) } }
        return collector
    }

    @Test func `fields keep their order, with lower-case names and repeated values`() {
        let answer = collect(
            ["HTTP/1.1 200 OK\r\n", "B: 1\r\n", "a:\t2 \r\n", "B:3\r\n", "C:\r\n", "\r\n"], body: ["ab", "c"]
        ).response(status: 200, length: 3)
        #expect(answer.fields.map { "\($0.name)=\($0.value)" } == ["b=1", "a=2", "b=3", "c="])
        #expect(answer.values(of: "b") == ["1", "3"])
        #expect(answer.values(of: "d") == [])
        #expect(answer.body == HTTPClientBody(Array("abc".utf8), isProven: true))
    }

    @Test func `interim heads, trailers, continued lines and broken fields are left out`() {
        let answer = collect([
            "HTTP/1.1 103 Early Hints\r\n", "Link: x\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "a: 1\r\n", " b: 2\r\n",
            "no colon\r\n", ": empty\r\n", "c d: 3\r\n", "e: \u{7F}\r\n", "f\r\n", "\r\n", "g: trailer\r\n",
        ]).response(status: 200, length: nil)
        #expect(answer.fields.map(\.name) == ["a"])
    }

    @Test func `a value that is not UTF-8 is left out`() {
        var collector = AnswerCollector(maxBodyBytes: 0)
        #expect([UInt8]("a: ".utf8 + [0xE4, 13, 10]).withUnsafeBytes { collector.takeLine($0) })
        #expect(collector.response(status: 200, length: nil).fields == [])
    }

    @Test(arguments: [
        (200, nil, 3, true), (200, nil, 4, false), (200, nil, nil, false), (204, nil, nil, true), (304, nil, nil, true),
        (200, "Chunked", nil, true), (200, "gzip, chunked", nil, false), (200, "chunked, gzip", 3, false),
        (200, "gzip", 3, false), (200, "foo chunked", nil, false), (200, "foo\tchunked", nil, false),
        (200, "chunked\r\nTransfer-Encoding: chunked", nil, false),
    ])
    func `a length, the last chunk or the status proves a body whole`(
        status: Int, coding: String?, length: Int?, isWhole: Bool
    ) {
        let fields = coding.map { ["Transfer-Encoding: \($0)\r\n"] } ?? []
        let body = status == 200 ? ["abc"] : []
        let answer = collect(["HTTP/1.1 \(status) OK\r\n"] + fields + ["\r\n"], body: body)
            .response(status: status, length: length)
        #expect(answer.body.whole == (isWhole ? Array(body.joined().utf8) : nil))
        #expect(answer.body.selfDelimiting == Array(body.joined().utf8))
    }

    @Test func `a body at the limit is accepted; one byte more is refused`() {
        #expect(collect([], body: ["12345", "67890"]).excess == nil)
        #expect(collect([], body: ["12345", "67890", "1"]).excess == .tooLarge(part: "a body", limit: 10))
        #expect(collect([], body: ["1"], limit: 0).excess == .tooLarge(part: "a body", limit: 0))
    }

    @Test func `fields over 64 KiB in total are refused, including interim heads`() {
        let interim = ["HTTP/1.1 100 Continue\r\n", "a: 1\r\n", "\r\n"]
        let bytes = interim.joined().utf8.count
        let most = (0..<(AnswerCollector.maxFieldBytes / bytes)).flatMap { _ in interim }
        #expect(collect(most).excess == nil)
        #expect(collect(most + interim).excess == .tooLarge(part: "headers", limit: 65_536))
    }
}
