/// The frame of a PEM text (RFC 7468): one `PRIVATE KEY` block, white space around it, nothing else. OpenSSL is laxer:
/// it skips what stands before a block and ignores what stands after it.
enum PrivateKeyPEM {
    private static let begin = "-----BEGIN "
    private static let end = "-----END PRIVATE KEY-----"

    static func checkFrame(_ pem: [UInt8]) throws(KeyError) {
        guard let text = String(validating: pem, as: UTF8.self) else { throw .notPEM }
        let lines = text.split(whereSeparator: \.isNewline).map(trimmed).filter { !$0.isEmpty }
        guard let first = lines.first, first.hasPrefix(begin), first.hasSuffix("-----") else { throw .notPEM }
        let label = first.dropFirst(begin.count).dropLast(5)
        // A key whose line ends were lost begins and ends on one line.
        guard !label.contains("-----") else { throw .notPEM }
        guard label == "PRIVATE KEY" else { throw .otherLabel(PEMLabel(rawValue: String(label)) ?? .unknown) }
        guard let last = lines.firstIndex(of: Substring(end)) else { throw .notPEM }
        guard last == lines.count - 1 else { throw .trailingData }
    }

    private static func trimmed(_ line: Substring) -> Substring {
        let start = line.drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}
