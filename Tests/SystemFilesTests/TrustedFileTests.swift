import Testing

@testable import SystemFiles

struct TrustedFileTests {
    private func error(_ path: String) -> TrustedFileError? {
        #expect(throws: TrustedFileError.self) { try TrustedFile(path: path, for: .callers) }
    }

    @Test(arguments: [
        ("/nowhere/file", "No such file or directory"), ("/nowhere", "No such file or directory"),
        ("/etc/passwd/file", "Not a directory"),
    ])
    func `a missing file or folder is distinguished from other errors`(path: String, reason: String) {
        #expect(error(path)?.isMissing == true)
        #expect(error(path)?.predicate == "cannot be opened: \(reason)")
    }

    @Test(arguments: [
        ("/etc", "is a directory; expected a file"), ("/etc/\(String(repeating: "a", count: 256))", nil as String?),
    ])
    func `a file that is unusable does not count as missing`(path: String, predicate: String?) {
        #expect(error(path)?.isMissing == false)
        #expect(predicate == nil || error(path)?.predicate == predicate)
    }
}
