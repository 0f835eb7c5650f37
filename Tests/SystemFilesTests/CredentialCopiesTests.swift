import TestSupport
import Foundation
import Testing

@testable import SystemFiles

@Suite struct CredentialCopiesTests {
    private let root = FileManager.default.temporaryDirectory.appending(path: "copies-\(UUID().uuidString)")
    private var copies: String { root.appending(path: "copies").path }
    private var originals: String { root.appending(path: "originals").path }

    init() throws {
        for folder in [copies, originals] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        try Data("old".utf8).write(to: URL(filePath: "\(copies)/key"))
    }

    private func service(_ sources: String? = nil) -> CredentialCopies {
        CredentialCopies(["CREDENTIALS_DIRECTORY": copies, CredentialCopies.variable: sources ?? originals])
    }

    /// Only root's originals are read instead of a copy.
    private func writeOriginal(_ permissions: mode_t, owner: uid_t) throws {
        try Data("new".utf8).write(to: URL(filePath: "\(originals)/key"))
        #expect(chmod("\(originals)/key", permissions) == 0)
        if geteuid() == 0 { #expect(chown("\(originals)/key", owner, 0) == 0) }
    }

    @Test(arguments: [(0o640, 0, true), (0o660, 0, false), (0o644, 1001, false)] as [(mode_t, uid_t, Bool)])
    func `the original is read only if root alone can write it`(
        permissions: mode_t, owner: uid_t, isRead: Bool
    ) throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try writeOriginal(permissions, owner: owner)
        let expected = isRead && geteuid() == 0 ? "\(originals)/key" : "\(copies)/key"
        #expect(service().readable("\(copies)/key") == expected)
        #expect(service().readable("/elsewhere/key") == "/elsewhere/key")
        #expect(service().readable("\(copies)/../copies/key") == "\(copies)/../copies/key")
        #expect(CredentialCopies([:]).readable("\(copies)/key") == "\(copies)/key")
    }

    @Test func `a changed original that is not read is reported`() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try writeOriginal(0o660, owner: 0)
        // The copy is newer than the original until that changes.
        try Data("old".utf8).write(to: URL(filePath: "\(copies)/key"))
        #expect(service().missed(["\(copies)/key"]).changed.isEmpty)
        try Patience.wait(for: "a later time of change") {
            try writeOriginal(0o660, owner: 0)
            return service().missed(["\(copies)/key", "/elsewhere"]).changed == ["\(originals)/key"]
        }
        #expect(service().missed(["\(copies)/key"]).unknown.isEmpty)
    }

    @Test func `copies without a known original are listed`() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        #expect(service().missed(["\(copies)/key", "/elsewhere"]).unknown == ["\(copies)/key"])
        #expect(service("").missed(["\(copies)/key"]).unknown == ["\(copies)/key"])
        #expect(CredentialCopies([:]).missed(["\(copies)/key"]) == CredentialCopies.Missed())
    }
}
