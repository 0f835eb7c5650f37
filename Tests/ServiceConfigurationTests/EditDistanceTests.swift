import Testing

@testable import ServiceConfiguration

@Suite struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("listen", "listen", 0), ("", "abc", 3), ("listn", "listen", 1), ("litsen", "listen", 1),
        ("Listen", "listen", 0), ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
    func `the distance counts edits and swaps of neighbouring characters`(left: String, right: String, expected: Int) {
        #expect(EditDistance.distance(left, right) == expected)
        #expect(EditDistance.distance(right, left) == expected)
    }

    @Test(
        arguments: [
            ("lisen", "listen"), ("logs", "log"), ("tokne", "token"), ("client_margn", "client_margin"),
            ("clientmargin", "client_margin"), ("zzz", nil), ("", nil),
        ] as [(String, String?)])
    func `only a similar word is suggested`(word: String, expected: String?) {
        #expect(EditDistance.nearest(to: word, in: ["listen", "log", "token", "client_margin"]) == expected)
    }

    @Test func `a very long word is similar to none`() {
        let word = String(repeating: "listen", count: 100_000)
        #expect(EditDistance.nearest(to: word, in: ["listen"]) == nil)
    }
}
