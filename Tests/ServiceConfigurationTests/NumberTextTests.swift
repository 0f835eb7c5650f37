import Testing

@testable import ServiceConfiguration

@Suite struct NumberTextTests {
    @Test(arguments: [
        ("0s", 0), ("1ms", 1), ("500ms", 500), ("10s", 10_000), ("5m", 300_000), ("1h", 3_600_000), ("0h", 0),
    ])
    func `a duration is a number and a unit`(text: String, milliseconds: Int64) throws {
        #expect(try DurationText.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        ("10", "has no unit (ms, s, m or h)"), ("", "is not a duration"), ("s", "is not a duration"),
        ("ms", "is not a duration"), ("1.5s", "is not a duration"), ("-1s", "is not a duration"),
        ("+1s", "is not a duration"), ("01s", "is not a duration"), ("1 s", "is not a duration"),
        ("1S", "is not a duration"), ("1h30m", "is not a duration"), ("1d", "is not a duration"),
        ("9223372036854775807h", "is too long"), ("99999999999999999999h", "is not a duration"),
    ])
    func `an invalid duration is refused with the reason`(text: String, reason: String) {
        #expect(throws: ValueProblem(reason)) { try DurationText.milliseconds(text) }
    }

    @Test(arguments: [(0, "0s"), (1, "1ms"), (1500, "1500ms"), (60_000, "1m"), (90_000, "90s"), (7_200_000, "2h")])
    func `a duration is written in the largest unit that divides it`(milliseconds: Int64, text: String) {
        #expect(DurationText.text(milliseconds: milliseconds) == text)
    }

    @Test(arguments: [("0", 0), ("1000", 1000), ("16KiB", 16384), ("64MiB", 67_108_864), ("1GiB", 1_073_741_824)])
    func `a size is bytes or a number and a binary unit`(text: String, bytes: Int) throws {
        #expect(try SizeText.bytes(text) == bytes)
    }

    @Test(arguments: [
        "", "KiB", "1KB", "1kib", "1K", "1 KiB", "-1", "1.5MiB", "010", "0x10", "1e3", "1_000",
    ])
    func `an invalid size is refused`(text: String) {
        #expect(throws: ValueProblem("is not a size in bytes, KiB, MiB or GiB")) { try SizeText.bytes(text) }
    }

    @Test func `a size too large for an integer is refused`() {
        #expect(throws: ValueProblem("is too large")) { try SizeText.bytes("9223372036854775807GiB") }
    }

    @Test(arguments: [
        (0, "0"), (1000, "1000"), (1024, "1KiB"), (1536, "1536"), (3 << 20, "3MiB"), (1 << 40, "1024GiB"),
    ])
    func `a size is written in the largest unit that divides it`(bytes: Int, text: String) {
        #expect(SizeText.text(bytes: bytes) == text)
    }

    @Test(
        arguments: [
            ("0", 0), ("1", 1), ("0.5", 0.5), ("1.0", 1), ("0.25", 0.25), ("12", 12), ("", nil), (".5", nil),
            ("0.", nil),
            ("00.5", nil), ("-0.5", nil), ("5e-1", nil), ("nan", nil), ("inf", nil), ("0x1p-1", nil), ("0.5.5", nil),
            ("½", nil),
        ] as [(String, Double?)])
    func `a fraction has digits and at most one point`(text: String, expected: Double?) {
        #expect(DecimalText.fraction(text) == expected)
    }

    @Test(arguments: [
        ("-1", "is not made of digits only"), ("1e3", "is not made of digits only"),
        ("", "is not made of digits only"), ("1.5", "is not made of digits only"), ("07", "begins with a 0"),
        ("9223372036854775808", "is too large"),
    ])
    func `an invalid whole number is refused with the reason`(text: String, reason: String) {
        #expect(throws: ValueProblem(reason)) {
            try ScalarForm<Int>.whole(0...1).read(SettingText(text: text, isQuoted: false, origin: .whole, folder: ""))
        }
    }

    @Test(arguments: [
        ("-1", "is not made of digits with at most one dot between them"),
        ("1e3", "is not made of digits with at most one dot between them"),
        (".5", "is not made of digits with at most one dot between them"),
        ("5.", "is not made of digits with at most one dot between them"),
        ("", "is not made of digits with at most one dot between them"),
        ("0.5.5", "is not made of digits with at most one dot between them"),
        ("00.5", "begins with a 0"), ("9223372036854775808.5", "is too large"),
    ])
    func `an invalid number is refused with the reason`(text: String, reason: String) {
        #expect(DecimalText.fraction(text) == nil)
        #expect(DecimalText.faultOfFraction(text) == reason)
    }
}
