/// Which characters of a string are written as escapes (RFC 8259 section 7); all others are written as UTF-8.
package enum JSONEscaping: Sendable {
    /// For programs: the quotation mark, the reverse solidus, control characters below U+0080, U+2028 and U+2029, which
    /// end a line in JavaScript, and U+FEFF, which some parsers drop as a byte order mark.
    case interchange
    /// For people who read a log in a terminal: also C1 controls and all format characters, including those that reverse
    /// the direction of text.
    case logLine

    /// Appends the text between quotation marks.
    func append(_ text: String, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        var text = text
        let copied = text.withUTF8 { utf8 in
            guard utf8.allSatisfy(isPlain) else { return false }
            json.append(contentsOf: utf8)
            return true
        }
        if !copied { appendEscaped(text, to: &json) }
        json.append(UInt8(ascii: "\""))
    }

    /// Whether the byte is never part of a character that is escaped.
    private func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x1F, 0x22, 0x5C, 0x7F: false
        case 0x80...0xFF: self == .interchange && byte != 0xE2 && byte != 0xEF  // begin U+2028, U+2029, U+FEFF
        default: true
        }
    }

    /// A text for people: escapes only what could end the line, move the cursor or reverse the text.
    package static func legible(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        logLine.appendEscaped(text, besides: ["\"", "\\"], to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func appendEscaped(
        _ text: some StringProtocol, besides plain: [Unicode.Scalar] = [], to json: inout [UInt8]
    ) {
        for scalar in text.unicodeScalars {
            if isEscaped(scalar), !plain.contains(scalar) {
                Self.appendEscape(scalar, to: &json)
            } else {
                json.append(contentsOf: scalar.utf8)
            }
        }
    }

    private static func appendEscape(_ scalar: Unicode.Scalar, to json: inout [UInt8]) {
        guard let short = shortEscape(scalar) else {
            for unit in scalar.utf16 { append(unit, to: &json) }
            return
        }
        json.append(UInt8(ascii: "\\"))
        json.append(short)
    }

    private func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x22, 0x5C, 0x7F, 0x2028, 0x2029, 0xFEFF: return true
        case 0x80...: break
        default: return false
        }
        guard self == .logLine else { return false }
        let category = scalar.properties.generalCategory
        return category == .control || category == .format
    }

    private static func shortEscape(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar {
        case "\"": UInt8(ascii: "\"")
        case "\\": UInt8(ascii: "\\")
        case "\n": UInt8(ascii: "n")
        case "\r": UInt8(ascii: "r")
        case "\t": UInt8(ascii: "t")
        default: nil
        }
    }

    /// A UTF-16 code unit as `\u001f`; a scalar beyond U+FFFF takes two.
    private static func append(_ unit: UInt16, to json: inout [UInt8]) {
        json += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
        for shift in stride(from: 12, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift)) & 0xF
            json.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
