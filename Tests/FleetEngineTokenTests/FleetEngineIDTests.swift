import FleetEngineToken
import Testing

@Suite struct FleetEngineIDTests {
    @Test(arguments: UInt8(0)...0x7F)
    func `an ASCII byte in an id passes unless forbidden or a control`(byte: UInt8) {
        let scalar = Unicode.Scalar(byte)
        let expected: FleetEngineIDError? =
            if "/:?,#".unicodeScalars.contains(scalar) {
                .forbiddenCharacter(scalar)
            } else if byte < 0x20 || byte == 0x7F {
                .controlCharacter(scalar)
            } else {
                nil
            }
        #expect(refusal(of: "a\(scalar)b") == expected)
        #expect(refusal(of: [0x61, byte, 0x62]) == expected)
    }

    @Test(arguments: UInt8(0x80)...0xFF)
    func `a single byte above 0x7F is not UTF-8`(byte: UInt8) {
        #expect(refusal(of: [0x61, byte, 0x62]) == .notUTF8)
        #expect(refusal(of: [byte]) == .notUTF8)
    }

    @Test(
        arguments: [
            [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF],  // overlong
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],  // surrogates
            [0xE2, 0x80], [0xC3], [0xF0, 0x9F, 0x98],  // cut off
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],  // beyond U+10FFFF
        ] as [[UInt8]])
    func `ill-formed UTF-8 is refused, not repaired`(bytes: [UInt8]) {
        #expect(refusal(of: bytes) == .notUTF8)
        #expect(refusal(of: Array("trip".utf8) + bytes) == .notUTF8)
        #expect(refusal(of: bytes + Array("trip".utf8)) == .notUTF8)
    }

    @Test(arguments: UInt32(0x80)...0x9F)
    func `a C1 control character is refused`(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(refusal(of: "a\(scalar)b") == .controlCharacter(scalar))
    }

    @Test(arguments: [
        "trip-1", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "a b", "a*b", "**", "a.", "..a", "...", "~", "+", "%", "%2A",
        "\"", "\\", "<script>", "Köln", "東京", "한국", "😀", "👩‍👩‍👧", "\u{EA}x\u{301}", "\u{FF0E}",
        "\u{FF0A}", "\u{FF0F}", "\u{FF1F}", "a\u{A0}b", "a\u{2028}b", "a\u{2029}b", "\u{202E}abc", "a\u{2066}b\u{2069}",
        "\u{200B}", "\u{FEFF}a", "\u{FFFD}", "\u{E000}", "\u{10FFFF}", "\u{300}a",
    ])
    func `a text that breaks no rule passes with its bytes unchanged`(text: String) throws {
        let id = try FleetEngineID(percentDecoded: Array(text.utf8))
        #expect(Array(id.text.utf8) == Array(text.utf8))
        #expect(try FleetEngineID(text) == id)
    }

    @Test(
        arguments: [
            ("", .empty), (".", .dotSegment), ("..", .dotSegment), ("*", .wildcard),
            (" a", .surroundingWhiteSpace(" ")), ("a ", .surroundingWhiteSpace(" ")),
            (" ", .surroundingWhiteSpace(" ")),
            ("\u{A0}a", .surroundingWhiteSpace("\u{A0}")), ("a\u{A0}", .surroundingWhiteSpace("\u{A0}")),
            ("a\u{3000}", .surroundingWhiteSpace("\u{3000}")), ("\u{2028}a", .surroundingWhiteSpace("\u{2028}")),
            ("\u{1680}a", .surroundingWhiteSpace("\u{1680}")), ("a\u{2003}", .surroundingWhiteSpace("\u{2003}")),
            ("a\r\nb", .controlCharacter("\r")), ("\u{0}", .controlCharacter("\u{0}")),
            ("\ta", .controlCharacter("\t")),
            ("trips/1", .forbiddenCharacter("/")), ("/", .forbiddenCharacter("/")),
            ("e\u{301}", .notNFC), ("Ko\u{308}ln", .notNFC), ("\u{212B}", .notNFC), ("\u{2126}", .notNFC),
            ("\u{1100}\u{1161}", .notNFC), ("a\u{301}\u{323}", .notNFC), ("\u{958}", .notNFC), ("\u{340}", .notNFC),
            ("\u{F900}", .notNFC), ("\u{2F800}", .notNFC), ("\u{1D15E}", .notNFC),
        ] as [(String, FleetEngineIDError)])
    func `a text that breaks a rule is refused by that rule`(text: String, error: FleetEngineIDError) {
        #expect(refusal(of: text) == error)
        #expect(refusal(of: Array(text.utf8)) == error)
    }

    @Test(arguments: [[0xEF, 0xB7, 0x90], [0xEF, 0xBF, 0xBF], [0xF4, 0x8F, 0xBF, 0xBF]] as [[UInt8]])
    func `noncharacters are valid Unicode and pass`(bytes: [UInt8]) throws {
        #expect(Array(try FleetEngineID(percentDecoded: bytes).text.utf8) == bytes)
    }

    @Test(arguments: ["a", "ü", "東", "😀", "\u{202E}"])
    func `64 Unicode scalars pass and 65 do not, whatever their byte count`(scalar: String) throws {
        #expect(try FleetEngineID(String(repeating: scalar, count: 64)).text.unicodeScalars.count == 64)
        #expect(refusal(of: String(repeating: scalar, count: 65)) == .tooLong(scalars: 65))
        #expect(refusal(of: String(repeating: scalar, count: 1 << 20)) == .tooLong(scalars: 1 << 20))
    }

    @Test func `the length limit counts Unicode scalars, not visible characters`() {
        let family = "👩‍👩‍👧‍👦"
        #expect(family.count == 1 && family.unicodeScalars.count == 7)
        #expect(refusal(of: String(repeating: family, count: 9)) == nil)
        #expect(refusal(of: String(repeating: family, count: 10)) == .tooLong(scalars: 70))
    }

    private func refusal(of text: String) -> FleetEngineIDError? {
        do throws(FleetEngineIDError) {
            _ = try FleetEngineID(text)
            return nil
        } catch {
            return error
        }
    }

    private func refusal(of bytes: [UInt8]) -> FleetEngineIDError? {
        do throws(FleetEngineIDError) {
            _ = try FleetEngineID(percentDecoded: bytes)
            return nil
        } catch {
            return error
        }
    }
}
