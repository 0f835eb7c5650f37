import TestSupport
import Foundation
import StrictJSON
import Testing

@testable import TokenProvider

/// The files that are compiled in, and their sources in the folder `Web`.
@Suite struct WebFileTests {
    private static let console = DocumentationPage.repository.appending(path: "Sources/TokenProvider/Console")
    private static let folder = console.appending(path: "Web")
    private static let generated = console.appending(path: "Files")
    /// The name of each file's constant in Swift.
    private static let constants = [
        "console.html": "consolePage", "playground.html": "playgroundPage", "style.css": "style", "icon.svg": "icon",
        "page.js": "pageScript", "charts.js": "chartsScript", "figures.js": "figuresScript",
        "questions.js": "questionsScript", "console.js": "consoleScript",
        "playground.js": "playgroundScript", "snippets.js": "snippetsScript",
    ]

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func output(_ command: [String]) throws -> Data {
        #expect(try Child(command, output: .file(scratch.path("output"))).wait() == 0)
        return Data(try scratch.bytes("output"))
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }

    /// After a change, `REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests` writes the Swift files again.
    @Test func `every file of the folder is compiled in as it is`() throws {
        let names = Set(Self.constants.keys)
        if ProcessInfo.processInfo.environment["REGENERATE_WEB"] != nil { try names.forEach(regenerate) }
        let found = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(found) == names)
        #expect(Set(WebFile.all.map(\.name)) == names)
        for file in WebFile.all {
            let compressed = try scratch.write(file.name, Base64URL.decode(file.content.utf8))
            let suffix = file.name.split(separator: ".")[1]
            let content = try output(["gzip", "-d", "-c", "--suffix", ".\(suffix)", compressed])
            let source = try text(file.name)
            #expect(String(decoding: content, as: UTF8.self) == source, "\(file.name): REGENERATE_WEB=1")
        }
    }

    private func regenerate(_ name: String) throws {
        let constant = try #require(Self.constants[name])
        let compressed = try output(["gzip", "-9", "-n", "-c", Self.folder.appending(path: name).path])
        let content = String(decoding: Base64URL.encode([UInt8](compressed)), as: UTF8.self)
        let lines = stride(from: 0, to: content.count, by: 106).map { content.dropFirst($0).prefix(106) }
        let swift = """
            // Made from Console/Web/\(name): REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

            extension WebFile {
                static let \(constant) = WebFile(
                    name: "\(name)",
                    content: \"""
                        \(lines.joined(separator: "\\\n            "))
                        \""")
            }

            """
        let file = "\(constant.prefix(1).uppercased())\(constant.dropFirst()).swift"
        try Data(swift.utf8).write(to: Self.generated.appending(path: file))
    }

    @Test func `all files are small`() throws {
        let size = try WebFile.all.reduce(0) { try $0 + text($1.name).utf8.count }
        let compressed = try WebFile.all.reduce(0) { try $0 + Base64URL.decode($1.content.utf8).count }
        #expect(size < 150_000 && compressed < 40_000)
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
        for name in Self.constants.keys {
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
