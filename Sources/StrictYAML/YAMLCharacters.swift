/// Which characters a YAML text may hold (YAML 1.1, section 4.1), checked before libyaml sees them, because libyaml
/// names the byte but neither the line nor the column.
enum YAMLCharacters {
    /// Throws at the first byte that is not UTF-8 and at the first control character.
    static func check(_ bytes: [UInt8], maximumBytes: Int) throws(YAMLError) {
        guard bytes.count <= maximumBytes else {
            throw YAMLError(
                position: YAMLPosition(line: 1, column: 1),
                sentence: "the text has \(bytes.count) bytes; expected at most \(maximumBytes)")
        }
        var cursor = Cursor()
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        while true {
            switch parser.parseScalar(from: &rest) {
            case .emptyInput: return
            case .error: throw YAMLError(position: cursor.position, sentence: "a byte here is not valid UTF-8")
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                guard isAllowed(scalar) else { throw forbidden(scalar, at: cursor.position) }
                cursor.advance(over: scalar)
            }
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    private static func forbidden(_ scalar: Unicode.Scalar, at position: YAMLPosition) -> YAMLError {
        let code = String(scalar.value, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
        return YAMLError(position: position, sentence: "the control character U+\(padded) is not allowed in YAML")
    }
}

/// Counts lines and columns as libyaml does, so that both name the same place.
private struct Cursor {
    private(set) var position = YAMLPosition(line: 1, column: 1)
    private var followsCarriageReturn = false

    mutating func advance(over scalar: Unicode.Scalar) {
        let endsPair = followsCarriageReturn && scalar == "\n"
        followsCarriageReturn = scalar == "\r"
        if endsPair { return }
        switch scalar {
        case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
            position = YAMLPosition(line: position.line + 1, column: 1)
        default:
            position = YAMLPosition(line: position.line, column: position.column + 1)
        }
    }
}
