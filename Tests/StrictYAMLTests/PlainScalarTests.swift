import StrictYAML
import Testing

@Suite struct PlainScalarTests {
    @Test(arguments: [
        "", "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "yes", "Yes", "no", "NO", "on", "Off", "y",
        "N",
        "0", "7", "-7", "+7", "007", "1_000", "9223372036854775808", "3.5", "-3.5", ".5", "5.", "1e3", "1E+3", "1.5e-3",
        "0x10", "0xfF", "0o17", "0b101", "-0x1", ".inf", "-.INF", "+.Inf", ".nan", ".NaN", "12:30", "190:20:30.15",
        "2026-01-31", "2026-1-3 9:05:00", "2026-01-31T09:05:00Z", "<<", "=",
    ])
    func `a scalar that some YAML reader interprets is not text`(text: String) {
        #expect(!PlainScalar.isText(text))
    }

    @Test(arguments: [
        "riders", "truely", "nobody", "one", "-", "+", ".", "..", "_1", "1.2.3", "10.0.0.1", "7e", "e7", "1e", "1e+",
        "7a",
        "0x", "0xg", "0b2", "0o8", "inf", "nan", "12:60", "12:", ":30", "12:345", "2026-01", "2026-01-31-a", "26-01-31",
        "550e8400-e29b-41d4-a716-446655440000", "user@example.com", "\u{663}", "\u{FF17}", "\u{E9}",
    ])
    func `a scalar that every YAML reader takes as text is text`(text: String) {
        #expect(PlainScalar.isText(text))
    }
}
