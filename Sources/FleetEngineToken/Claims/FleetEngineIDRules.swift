// For Normalization Form C. Otherwise only Foundation has it, which adds 40 MB to a static binary.
@_spi(_Unicode) import Swift

/// The rules for an id: those of Fleet Engine's protocol buffers (valid Unicode, at most 64 characters,
/// Normalization Form C, none of `/ : ? , #`) and ours (not empty, no control characters, no white space around it, no
/// dot segment of RFC 3986 section 3.3, not the wildcard).
enum FleetEngineIDRules {
    /// The most Unicode scalars an id may have.
    static let maxScalars = 64

    static func check(_ text: String) throws(FleetEngineIDError) {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        try checkLength(isASCII ? text.utf8.count : text.unicodeScalars.count)
        try checkCharacters(text.unicodeScalars)
        try checkEdges(text.unicodeScalars)
        try checkWhole(text)
        // ASCII, as nearly every id is, is always in Normalization Form C; nothing is allocated for it.
        guard isASCII || isNormalized(text) else { throw .notNFC }
    }

    /// Whether bytes cannot break any rule. Nearly every id consists of letters, digits, "-" and "_", which one pass over
    /// the bytes detects.
    static func isPlain(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard (1...maxScalars).contains(range.count) else { return false }
        return bytes.extracting(range).withUnsafeBufferPointer { bytes in
            bytes.allSatisfy { byte in
                let isLetter = (byte | 0x20) &- 0x61 < 26
                return isLetter || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x5F
            }
        }
    }

    private static func checkLength(_ scalars: Int) throws(FleetEngineIDError) {
        guard scalars > 0 else { throw .empty }
        guard scalars <= maxScalars else { throw .tooLong(scalars: scalars) }
    }

    private static func checkCharacters(_ scalars: String.UnicodeScalarView) throws(FleetEngineIDError) {
        for scalar in scalars {
            switch scalar.value {
            case 0x00...0x1F, 0x7F...0x9F: throw .controlCharacter(scalar)  // C0, DEL and C1: all of category Cc
            case 0x23, 0x2C, 0x2F, 0x3A, 0x3F: throw .forbiddenCharacter(scalar)  // # , / : ?
            default: continue
            }
        }
    }

    private static func checkEdges(_ scalars: String.UnicodeScalarView) throws(FleetEngineIDError) {
        if let first = scalars.first, first.isWhiteSpace { throw .surroundingWhiteSpace(first) }
        if let last = scalars.last, last.isWhiteSpace { throw .surroundingWhiteSpace(last) }
    }

    private static func checkWhole(_ text: String) throws(FleetEngineIDError) {
        switch text {
        case ".", "..": throw .dotSegment
        case "*": throw .wildcard
        default: return
        }
    }

    private static func isNormalized(_ text: String) -> Bool {
        text._nfc.elementsEqual(text.unicodeScalars)
    }
}

extension Unicode.Scalar {
    /// Whether the scalar has Unicode's White_Space property; of ASCII, control characters aside, only the space has.
    fileprivate var isWhiteSpace: Bool {
        isASCII ? self == " " : properties.isWhitespace
    }
}
