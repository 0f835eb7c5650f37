import TestSupport
import Foundation
import Testing

/// Compiles the code that pages show to the authors of apps, and runs it where its platform runs here.
struct SampleCompilers {
    private let scratch: Scratch

    /// Writes its files to a scratch folder.
    init(_ scratch: Scratch) { self.scratch = scratch }

    /// What a Swift program with `@main` prints; Foundation is imported.
    func runSwift(_ program: String, _ arguments: [String] = []) throws -> String {
        let source = try scratch.write(
            "sample.swift",
            """
            import Foundation
            #if canImport(FoundationNetworking)
            import FoundationNetworking
            #endif
            \(program)
            """)
        let executable = scratch.path("sample")
        try Program.mustRun("swiftc", ["-swift-version", "6", "-parse-as-library", source, "-o", executable])
        return try Program.mustRun(executable, arguments)
    }

    /// What a Kotlin program with `main` prints, beside what it uses of Android.
    func runKotlin(_ program: String, _ arguments: [String] = []) throws -> String {
        let stubs = try String(contentsOfFile: PythonClients.path("android_stubs.kt"), encoding: .utf8)
        let source = try scratch.write("Sample.kt", "\(stubs)\n\(program)")
        let jars = try PythonClients.documentationPackage("run_kotlin_kernel") + "/jars"
        let names = try FileManager.default.contentsOfDirectory(atPath: jars)
        let library = "\(jars)/\(try #require(names.first { $0.hasPrefix("kotlin-stdlib-") }))"
        let archive = scratch.path("sample.jar")
        try Program.mustRun(
            "java",
            ["-cp", "\(jars)/*", "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect"]
                + ["-Werror", "-Xsuppress-deprecated-jvm-target-warning", "-cp", library, source, "-d", archive])
        return try Program.mustRun("java", ["-cp", "\(archive):\(library)", "SampleKt"] + arguments)
    }

    /// Checks Objective-C against the declarations that it uses.
    func checkObjectiveC(_ code: String, _ flags: [String] = []) throws {
        let source = try scratch.write(
            "sample.m", "#include \"\(PythonClients.path("foundation_stubs.h"))\"\n\(code)")
        try Program.mustRun(
            "clang",
            ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-target", "arm64-apple-ios16.0", "-ffreestanding"]
                + ["-fobjc-arc", "-fblocks"] + flags + [source])
    }
}
