import TestSupport
import Foundation
import Testing

/// Which libnghttp2 the real binary accepts, tested with copies of the machine's own library and header.
@Suite(.blocking) struct HTTP2LibraryTests {
    /// Functions that were added together with a security fix each.
    static let functions = ["nghttp2_option_set_stream_reset_rate_limit", "nghttp2_option_set_max_continuations"]

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Writes bytes in which a function has another name, as in a version from before it was added.
    private func write(_ name: String, _ bytes: Data, without function: String?) throws {
        var bytes = bytes
        while let function, let place = bytes.range(of: Data(function.utf8)) {
            bytes.replaceSubrange(place, with: Data(repeating: UInt8(ascii: "x"), count: function.utf8.count))
        }
        try bytes.write(to: URL(filePath: scratch.path(name)))
    }

    /// Makes the daemon load the machine's library without a function; nil for the complete library.
    private func environment(without function: String?) throws -> [String: String] {
        let libraries = try Child.mustRun(["ldd", Program.daemon])
        let line = try #require(libraries.firstMatch(of: /(libnghttp2\.so\.\d+) => (\S+)/))
        try write(
            String(line.1), Data(contentsOf: URL(filePath: String(line.2))), without: function)
        return ["LD_LIBRARY_PATH": scratch.folder.path]
    }

    @Test(arguments: functions)
    func `serve and check refuse a libnghttp2 that lacks a security fix`(
        function: String
    ) throws {
        let environment = try environment(without: function)
        let key = try ServiceAccountFile(in: scratch)
        let flags = ["--listen", "127.0.0.1:0", "--credentials", key.path, "--callers", "none"]
        let outcome = try Program.refusal(["serve"] + flags, environment: environment)
        #expect(outcome.status == 1)
        let checked = try Program.refusal(["check"] + flags, environment: environment)
        #expect(checked.status == 78 && checked.sentences == outcome.sentences)
        let sentence = try #require(outcome.sentences.first)
        #expect(
            sentence.wholeMatch(
                of: /libnghttp2 [\d.]+ lacks the fixes of CVE-2023-44487 and CVE-2024-28182; expected .*/) != nil)
        #expect(outcome.sentences.count == 1)
        // With HTTP/2 turned off the library does not matter.
        let daemon = try DaemonProcess(
            scratch: scratch, key: key,
            environment: environment.merging(["TOKEN_PROVIDER_HTTP2_ENABLED": "false"]) { $1 })
        #expect(try Curl("\(daemon.url)/token?tripID=trip-1").status == 200)
        #expect(try daemon.end() == 0)
    }

    @Test func `a library with both fixes is accepted whatever its version`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try DaemonProcess(scratch: scratch, key: key, environment: environment(without: nil))
        let maps = try Child.mustRun(["cat", "/proc/\(daemon.process.identifier)/maps"])
        #expect(maps.contains("\(scratch.folder.path)/libnghttp2"))
        #expect(try daemon.end() == 0)
    }

    @Test func `a header file without a fix does not compile`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/CNGHTTP2/shim.h").path
        let header = try Data(contentsOf: URL(filePath: "/usr/include/nghttp2/nghttp2.h"))
        try FileManager.default.createDirectory(atPath: scratch.path("nghttp2"), withIntermediateDirectories: true)
        for function in [nil] + Self.functions {
            try write("nghttp2/nghttp2.h", header, without: function)
            let outcome = try Child.run(["clang", "-fsyntax-only", "-I", scratch.folder.path, sources])
            #expect((outcome.status == 0) == (function == nil))
            #expect(outcome.errors.contains("undeclared identifier '\(function ?? "none")'") == (function != nil))
        }
    }
}
