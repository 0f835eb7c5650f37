import TestSupport
import Foundation
import Testing

/// Compiles every sample that uses the client library with the toolchain that built these tests.
///
/// What the samples import from Google and Firebase is replaced by stubs with the published signatures (`Samples`).
@Suite struct SampleTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let samples = folder.appending(path: "Samples").path

    private let scratch: URL
    /// The code blocks of the pages on the library, with their language.
    private let blocks: [(language: String, code: String)]

    init() throws {
        scratch = FileManager.default.temporaryDirectory.appending(path: "samples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        blocks =
            try Self.blocks(of: "ClientLibrary")
            + Self.blocks(of: "ClientSamples").filter { $0.code.contains("import TokenProviderClient") }
    }

    private static func blocks(of page: String) throws -> [(language: String, code: String)] {
        let file = folder.appending(path: "../../Sources/TokenProvider/Documentation.docc/\(page).md")
        return try String(contentsOf: file, encoding: .utf8).matches(of: /(?m)^```(\w+)\n((?s).*?)^```$/)
            .map { (String($0.1), String($0.2)) }
    }

    private func clean() { try? FileManager.default.removeItem(at: scratch) }

    /// The blocks of a language that contain a text.
    private func blocks(of language: String, containing text: String) -> [String] {
        blocks.filter { $0.language == language && $0.code.contains(text) }.map(\.code)
    }

    private func write(_ name: String, _ text: String) throws -> String {
        let file = scratch.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// Swift without the imports that the stubs replace.
    private func stubbed(_ code: String) -> String {
        code.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.contains("import FirebaseAuth") && !$0.contains("import GoogleRidesharing") }
            .joined(separator: "\n")
    }

    /// Checks Swift files beside the stubs, as an app in Swift 6 mode would compile them.
    private func check(_ files: [String], _ flags: [String] = []) throws {
        let modules = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "Modules")
        try Child.mustRun(
            ["swiftc", "-frontend", "-typecheck", "-swift-version", "6", "-warnings-as-errors"]
                + ["-module-name", "MyApp", "-I", modules.path] + flags + files + ["\(Self.samples)/Stubs.swift"])
    }

    @Test func `every sample in Swift compiles`() throws {
        defer { clean() }
        let adapters = blocks(of: "swift", containing: "NSObject, GMT")
        #expect(adapters.count == 2)
        try check(try adapters.enumerated().map { try write("Adapter\($0.offset).swift", stubbed($0.element)) })
        // The others are statements: each that makes a client begins an app.
        let statements = blocks(of: "swift", containing: "tokens").filter { !$0.contains("NSObject, ") }
        let (clients, uses) = (
            statements.filter { $0.contains("let tokens =") }, statements.filter { !$0.contains("let tokens =") }
        )
        #expect(clients.count == 2)
        #expect(uses.count == 1)
        for client in clients {
            let app = ([client] + uses).joined(separator: "\n")
            try check([try write("main.swift", stubbed(app))])
        }
    }

    @Test func `the adapters fit in ten lines of code`() {
        let adapters = blocks(of: "swift", containing: "NSObject, GMT")
        #expect(!adapters.isEmpty)
        for adapter in adapters {
            let lines = adapter.split(separator: "\n").filter {
                !$0.hasPrefix("import ") && $0.contains { !$0.isWhitespace && $0 != "}" }
            }
            #expect(lines.count <= 10, "\(adapter)")
        }
    }

    /// The compiler writes the header that an Objective-C app includes, with the names of this platform's Foundation.
    @Test func `the Objective-C adapters compile against the header of the Swift file`() throws {
        defer { clean() }
        let swift = try #require(blocks(of: "swift", containing: "@objc").first)
        let header = scratch.appending(path: "MyApp-Swift.h")
        try check(
            [try write("FleetTokens.swift", stubbed(swift))],
            [
                "-enable-objc-interop", "-disable-objc-attr-requires-foundation-module", "-emit-objc-header-path",
                header.path,
            ])
        let text = try String(contentsOf: header, encoding: .utf8)
        #expect(text.contains("_TtC10Foundation8NSString"))
        _ = try write("MyApp-Swift.h", text.replacing("_TtC10Foundation8NSString", with: "NSString"))
        for name in ["GMTDAuthorization", "GMTCAuthorization"] {
            let adapter = try #require(blocks(of: "objc", containing: "<\(name)>").first)
            let outcome = try compile(adapter)
            #expect(outcome.status == 0, "\(outcome.errors)")
            // What does not fit is found.
            let wrong = adapter.replacing("completion:completion]", with: "completion:authorizationContext]")
            #expect(try compile(wrong).status == 1)
            #expect(try compile(adapter.replacing("shared tokenFor", with: "shared keyFor")).status == 1)
        }
    }

    private func compile(_ objectiveC: String) throws -> Outcome {
        let file = try write("Adapter.m", objectiveC)
        let swiftc = try Child.mustRun(["sh", "-c", "readlink -f \"$(command -v swiftc)\""])
        let clang = URL(filePath: String(swiftc.dropLast())).deletingLastPathComponent().appending(path: "clang").path
        return try Child.run(
            [
                clang, "-fsyntax-only", "-fblocks", "-fobjc-arc", "-fobjc-runtime=ios-15.0", "-Wall", "-Wextra",
                "-Werror",
            ]
                + ["-Wno-objc-root-class", "-I", Self.samples, "-I", scratch.path, file])
    }
}
