/// An answer as a client reads it.
struct TestAnswer {
    let status: Int
    let fields: [String: String]
    let body: String
    /// The number of its bytes on the wire.
    let length: Int

    /// Reads the answer at the start of the bytes; nil if it is incomplete.
    init?(_ bytes: [UInt8], toHead: Bool) {
        guard let headEnd = TestAnswer.headEnd(bytes) else { return nil }
        let lines = TestAnswer.lines(bytes[..<headEnd])
        status = lines.first.flatMap { line in Int(line.split(separator: " ").dropFirst().first ?? "") } ?? 0
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        self.fields = fields
        length = headEnd + (toHead ? 0 : fields["content-length"].flatMap { Int($0) } ?? 0)
        guard length <= bytes.count else { return nil }
        body = String(decoding: bytes[headEnd..<length], as: UTF8.self)
    }

    var closes: Bool { fields["connection"] == "close" }

    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        guard bytes.count >= 4 else { return nil }
        return (0...bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(end) }.map { $0 + 4 }
    }

    private static func lines(_ head: ArraySlice<UInt8>) -> [String] {
        head.split(separator: UInt8(ascii: "\n")).map { line in
            String(decoding: line.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        }.filter { !$0.isEmpty }
    }
}
