import TestSupport
import Foundation
import Testing

/// The files for browsers, which are compiled in.
@Suite struct WebFileTests {
    private static let folder = DocumentationPage.repository.appending(path: "Sources/TokenProvider/Console/Web")

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) }

    @Test func `all files are small`() throws {
        #expect(try names().reduce(0) { try $0 + text($1).utf8.count } < 100_000)
    }

    @Test func `nothing moves for people who prefer less motion`() throws {
        let style = try text("style.css")
        let moving = try #require(style.firstRange(of: "@media (prefers-reduced-motion: no-preference) {"))
        let end = try #require(style[moving.upperBound...].firstRange(of: "\n}\n"))
        let still = style.replacingCharacters(in: moving.lowerBound..<end.upperBound, with: "")
        for word in ["transition", "animation", "@keyframes", "scroll-behavior"] {
            #expect(!still.contains(word), "\(word)")
        }
    }

    @Test func `texts and spaces have the sizes of two scales`() throws {
        let style = try text("style.css")
        let scales: [(property: String, sizes: Set<Substring>)] = [
            ("font(-size)?", ["12", "14", "16", "20", "28"]),
            ("(margin|padding|gap|row-gap|column-gap)(-[a-z]+)?", ["0", "4", "8", "12", "16", "24", "32", "48", "-1"]),
        ]
        for (property, sizes) in scales {
            let declarations = style.matches(of: try Regex("[{;\\s]\(property):\\s*([^;]+);"))
            #expect(declarations.count > 10)
            for declaration in declarations {
                let value = declaration.output.last?.substring ?? ""
                // What follows a slash is the height of lines.
                let found = value.prefix { $0 != "/" }.matches(of: /(-?[0-9.]+)px/).map(\.output.1)
                #expect(sizes.isSuperset(of: found), "\(value)")
            }
        }
    }

    @Test func `pages have no inline script and name no other host`() throws {
        for name in try names() {
            let text = try text(name).replacing("http://www.w3.org/2000/svg", with: "").replacing(
                "http://127.0.0.1:8080/", with: "")
            #expect(!text.contains("://") || name == "snippets.js", "\(name)")
            for forbidden in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
                "localStorage", "sessionStorage", "document.cookie",
            ] {
                #expect(!text.contains(forbidden), "\(name): \(forbidden)")
            }
            guard name.hasSuffix(".html") else { continue }
            #expect(!text.contains("style=") && !text.contains(/\son[a-z]+=/) && !text.contains(/<script[^>]*>[^<]/))
        }
    }
}
