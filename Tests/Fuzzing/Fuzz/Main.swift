import Glibc

/// LLVM's fuzzing loop (libFuzzer), from the runtime that `-sanitize=fuzzer` links.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target that the environment names in FUZZ_TARGET.
private let target: (@Sendable ([UInt8]) -> Void)? = getenv("FUZZ_TARGET").flatMap { targets[String(cString: $0)] }

private let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "request": RequestTarget.run, "fields": FieldsTarget.run, "proxy": ProxyTarget.run,
    "forwarded": ForwardedTarget.run, "ids": IDTarget.run, "json": JSONTarget.run, "yaml": YAMLTarget.run,
    "configuration": ConfigurationTarget.run, "jws": JWSTarget.run, "jwk": JWKTarget.run, "keys": KeyTarget.run,
    "audit": AuditTarget.run, "pkcs11": PKCS11Target.run, "adc": CredentialsTarget.run,
    "connection": ConnectionTarget.run,
]

@main enum Main {
    static func main() {
        guard target != nil else {
            print("FUZZ_TARGET names no target; expected one of \(targets.keys.sorted().joined(separator: ", "))")
            exit(64)
        }
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(
            runDriver(&count, &arguments) { bytes, size in
                target?(Array(UnsafeBufferPointer(start: bytes, count: size)))
                return 0
            })
    }
}

/// Ends the process, for libFuzzer to keep the input, unless the invariant holds.
func require(_ holds: Bool, _ invariant: @autoclosure () -> String) {
    guard !holds else { return }
    let line = Array("broken invariant: \(invariant())\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    abort()
}

/// The result of a throwing function; nil if it throws.
func optional<Value, Failure: Error>(_ make: () throws(Failure) -> Value) -> Value? { try? make() }

extension [UInt8] {
    /// The text that the bytes are, repaired.
    var text: String { String(decoding: self, as: UTF8.self) }
}

extension String {
    /// Whether it fits into one line of a log, and has no character that controls a terminal.
    var isOneLine: Bool {
        unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{2028}" && $0 != "\u{2029}" }
    }
}
