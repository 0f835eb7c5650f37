import Testing

@testable import StrictJSON

struct MediaTypeTests {
    @Test(arguments: [
        ("application/json", "application/json"), ("Application/JSON; charset=UTF-8", "application/json"),
        (" \tapplication/problem+json ;a=b;c", "application/problem+json"), ("application/json,text/html", nil),
        ("application/jsonp", nil), ("", ""), (";", ""), ("\u{212A}", "\u{212A}"), ("[\\]", "[\\]"),
    ])
    func `parameters, blanks and capitals do not matter`(header: String, type: String?) {
        #expect(header.mediaType == type ?? header)
    }
}
