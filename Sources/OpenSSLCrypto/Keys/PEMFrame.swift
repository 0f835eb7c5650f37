/// The frame of a PEM text (RFC 7468): one block, with only white space around it. OpenSSL is more lenient: it skips
/// everything before a block and ignores everything after it.
package struct PEMFrame {
    /// What follows the last line of the block.
    enum Ending {
        case nothing
        /// The block has no last line.
        case missing
        case moreData
    }

    /// The label between `-----BEGIN ` and `-----`.
    package let label: String
    private let lines: [Substring]

    /// Throws if the text does not begin with the first line of a block.
    package init(_ pem: [UInt8]) throws(PEMFault) {
        if let fault = TextFault(in: pem) { throw .notText(fault) }
        guard let text = String(validating: pem, as: UTF8.self) else { throw PEMFault(in: pem) ?? .notUTF8 }
        lines = text.pemLines
        guard let label = lines.first?.pemLabel else { throw PEMFault(in: pem) ?? .noBlock }
        self.label = label
    }

    var ending: Ending {
        guard let last = lines.firstIndex(of: "-----END \(label)-----") else { return .missing }
        // OpenSSL might take another such line within it for the beginning or the end.
        let hasAnother = lines[1..<last].contains { $0.contains("-----") }
        return last == lines.count - 1 && !hasAnother ? .nothing : .moreData
    }
}

/// Why a text is not a whole PEM block. It holds nothing of the text.
package enum PEMFault: Error, Hashable, Sendable {
    /// The bytes are not UTF-8 text, or there are none.
    case notText(TextFault)
    /// Bytes within the text are not UTF-8.
    case notUTF8
    /// The text does not begin with a `-----BEGIN` line.
    case noBlock
    /// A block has no `-----END` line.
    case truncated
    /// Its line breaks are written as a backslash and an `n`.
    case escapedLineBreaks
    /// Its line breaks were lost.
    case noLineBreaks

    /// The fault of the text's last block; nil if that block has its first and its last line. A byte order mark and text
    /// before the block are ignored, as OpenSSL does.
    package init?(in pem: [UInt8]) {
        let pem = TextFault(in: pem) == .byteOrderMark ? Array(pem.dropFirst(3)) : pem
        if let fault = TextFault(in: pem) {
            self = .notText(fault)
            return
        }
        let text = String(decoding: pem, as: UTF8.self)
        let lines = text.pemLines
        guard let begin = lines.lastIndex(where: { $0.hasPrefix(Substring.pemBegin) }) else {
            self = .noBlock
            return
        }
        if text.contains("-----\\n") || text.contains("\\n-----") {
            self = .escapedLineBreaks
        } else if let label = lines[begin].pemLabel {
            guard !lines[begin...].contains("-----END \(label)-----") else { return nil }
            self = .truncated
        } else {
            // The first line is itself incomplete, or goes on after the dashes that end it.
            self = lines[begin].dropFirst(Substring.pemBegin.count).contains("-----") ? .noLineBreaks : .truncated
        }
    }

    /// The predicate of a sentence about a file or one of its fields, which should hold a block with this label.
    package func problem(expecting label: String) -> String {
        let lines = "the lines -----BEGIN \(label)----- to -----END \(label)-----"
        return switch self {
        case .notText(let fault): fault.problem(expecting: lines)
        case .notUTF8: "is not PEM: it has bytes that are not UTF-8; expected \(lines)"
        case .noBlock: "is not PEM: it does not begin with a -----BEGIN line; expected \(lines)"
        case .truncated: "is truncated: a -----BEGIN line has no -----END line; expected \(lines)"
        case .escapedLineBreaks:
            "is not PEM: its line breaks are written as the two characters \\n; expected real line breaks"
        case .noLineBreaks: "is not PEM: its line breaks are missing; expected \(lines), each on its own line"
        }
    }
}

extension String {
    /// The lines that are not empty, without white space around them.
    fileprivate var pemLines: [Substring] {
        split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
    }
}

extension Substring {
    fileprivate static let pemBegin = "-----BEGIN "

    /// The label of the first line of a block; nil for any other line. A key whose line breaks were lost begins and ends
    /// on the same line.
    fileprivate var pemLabel: String? {
        guard hasPrefix(Self.pemBegin), hasSuffix("-----") else { return nil }
        let label = dropFirst(Self.pemBegin.count).dropLast(5)
        return label.contains("-----") ? nil : String(label)
    }

    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}
