import Testing

@testable import HTTPServer

struct OutputBufferTests {
    private func text(_ capacity: Int = 64, _ fill: (OutputBuffer) -> Void) -> String {
        let output = OutputBuffer(capacity: capacity)
        fill(output)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    @Test(arguments: [0, 1, 9, 10, 99, 100, 65_536, Int.max])
    func `a number is written in decimal digits`(number: Int) {
        #expect(text { $0.append(number) } == "\(number)")
    }

    @Test(arguments: [
        (UInt64(0), "0000000000000000"), (0xab, "00000000000000ab"), (.max, "ffffffffffffffff"),
        (0x0123_4567_89ab_cdef, "0123456789abcdef"),
    ])
    func `a number is written in sixteen hexadecimal digits`(number: UInt64, digits: String) {
        #expect(text { $0.append(hexadecimal: number) } == digits)
        #expect(text(1) { $0.append(hexadecimal: number) } == digits)
    }

    @Test(arguments: [1, 2, 7, 64])
    func `a growing buffer keeps its contents`(capacity: Int) {
        let words = (0..<500).map { "word \($0);" }
        let joined = text(capacity) { output in
            for word in words { output.append(Array(word.utf8)) }
        }
        #expect(joined == words.joined())
    }

    @Test func `one piece larger than twice the buffer fits`() {
        let piece = [UInt8](repeating: 7, count: 1000)
        let output = OutputBuffer(capacity: 10)
        output.append("x")
        output.append(piece)
        #expect(output.count == 1001)
        #expect(Array(output.bytes.dropFirst()) == piece)
    }

    @Test func `an empty append adds nothing, and a cleared buffer starts again`() {
        let output = OutputBuffer(capacity: 8)
        output.append([])
        #expect(output.count == 0)
        output.append("abc")
        output.removeAll()
        #expect(output.bytes.isEmpty)
        output.append("d")
        #expect(Array(output.bytes) == Array("d".utf8))
    }
}
