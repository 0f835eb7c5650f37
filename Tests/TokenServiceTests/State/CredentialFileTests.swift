import Foundation
import TestSupport
import Testing

@testable import OpenSSLSigner
@testable import SystemFiles
@testable import TokenService

@Suite struct CredentialFileTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    /// The error or the warning for a file, or "accepted".
    private func outcome(path: String) -> String {
        do throws(CredentialError) {
            let file = try CredentialFile(path: path)
            return file.warning ?? "accepted"
        } catch {
            return error.sentence
        }
    }

    private static let writable =
        ": others can write this file and so choose the key; expected chmod go-w, or better chmod 600"
    private static let readable = ": others can read this file and so sign as the account; expected chmod 600"

    @Test(arguments: [
        (0o600, "accepted"), (0o400, "accepted"), (0o700, "accepted"),
        // A key in a Kubernetes secret belongs to the pod's group, which reads it.
        (0o640, "accepted"), (0o440, "accepted"),
        (0o604, readable), (0o644, readable), (0o444, readable),
        (0o602, writable), (0o620, writable), (0o660, writable), (0o606, writable), (0o666, writable),
        (0o622, writable), (0o777, writable),
    ])
    func `permissions decide whether a key file is accepted, warned about or refused`(
        permissions: Int, expected: String
    ) throws {
        let path = try folder.write("key.json", Data("{}".utf8), permissions: permissions)
        #expect(outcome(path: path) == (expected == "accepted" ? expected : path + expected))
    }

    @Test func `another user's key file is refused; root's and ours are accepted`() throws {
        let path = try folder.write("key.json", Data("{}".utf8), permissions: 0o400)
        var status = try SystemFile(path: path).status()
        status.st_uid = 1001
        func refusal(_ user: uid_t) -> String? {
            FileTrust.breach(status, for: user, consequence: "choose the key")
        }
        #expect(
            refusal(1000)
                == "belongs to user 1001, who can write it and so choose the key; "
                + "expected a file of root or of user 1000, who runs this; change its owner, or run this as user 1001 "
                + "(in a container, --user 1001)")
        #expect(refusal(0) != nil)
        #expect(refusal(1001) == nil)
        status.st_uid = 0
        #expect(refusal(1000) == nil)
        #expect(refusal(0) == nil)
    }

    @Test func `a pipe without a writer is refused without blocking`() throws {
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        #expect(outcome(path: path) == "\(path): cannot be read: no program writes to this pipe")
    }

    @Test func `the permissions of a symbolic link's target decide`() throws {
        let path = try folder.write("key.json", Data("{}".utf8), permissions: 0o602)
        let link = folder.path("link.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(outcome(path: link) == link + Self.writable)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(outcome(path: link) == "accepted")
    }

    @Test func `a folder, a missing file and an empty path are refused`() {
        #expect(outcome(path: folder.folder.path) == "\(folder.folder.path): is a directory; expected a file")
        let missing = folder.path("missing.json")
        #expect(outcome(path: missing) == "\(missing): cannot be opened: No such file or directory")
        #expect(outcome(path: "") == ": cannot be opened: No such file or directory")
        let below = folder.path("missing/key.json")
        #expect(outcome(path: below) == "\(below): cannot be opened: No such file or directory")
    }

    @Test func `a file of 64 KiB is accepted, one byte more is refused`() throws {
        let most = try folder.write("most.json", Data(repeating: 0x20, count: 65_536), permissions: 0o600)
        #expect(outcome(path: most) == "accepted")
        let over = try folder.write("over.json", Data(repeating: 0x20, count: 65_537), permissions: 0o600)
        #expect(outcome(path: over) == "\(over): is over 64 KiB; expected a service-account key")
        #expect(outcome(path: "/dev/zero") == "/dev/zero: is over 64 KiB; expected a service-account key")
    }

    @Test func `a key that the signer refuses is reported with its file`() throws {
        let path = try folder.write(
            "user.json", Data(#"{"type":"authorized_user"}"#.utf8), permissions: 0o600)
        let error = #expect(throws: CredentialError.self) {
            try CredentialFile(path: path).signer(allowDefaultServiceAccounts: false)
        }
        #expect(
            error?.sentence == "\(path): type is \"authorized_user\"; expected exactly \"service_account\"")
    }
}
