import Foundation
import OpenSSLSigner
import SystemFiles
import Testing

@testable import GoogleCredentials

struct CredentialsSearchTests {
    private static let name = "application_default_credentials.json"
    private static let gcloud = "/home/x/.config/gcloud/\(name)"
    private static let missing = TrustedFileError(predicate: "cannot be opened: nothing there", isMissing: true)

    /// Searches among these files; nil is a file that cannot be read.
    private func find(
        _ environment: [String: String], _ files: [String: [UInt8]?]
    ) throws -> FoundCredentials {
        try CredentialsSearch(
            environment: environment, allowedHosts: [], universeDomain: "googleapis.com"
        ) { path throws(TrustedFileError) in
            guard let file = files[path] else { throw Self.missing }
            guard let bytes = file else { throw TrustedFileError(predicate: "cannot be opened: Permission denied") }
            return CredentialsContent(bytes: bytes, isReadableByOthers: true)
        }.find()
    }

    private func refusal(
        _ environment: [String: String], _ files: [String: [UInt8]?]
    ) -> String? {
        #expect(throws: CredentialError.self) { try find(environment, files) }?.sentence
    }

    private static let everywhere = [
        "GOOGLE_APPLICATION_CREDENTIALS": "/key.json", "CLOUDSDK_CONFIG": "/sdk", "HOME": "/home/x",
    ]

    @Test func `the first place in AIP-4110's order decides`() throws {
        let user = try CredentialsFixture.user.json()
        let files = ["/key.json": user, "/sdk/\(Self.name)": user, Self.gcloud: user]
        var environment = Self.everywhere
        #expect(
            try find(environment, files).origin == "the file /key.json of GOOGLE_APPLICATION_CREDENTIALS")
        environment["GOOGLE_APPLICATION_CREDENTIALS"] = nil
        #expect(try find(environment, files).origin == "gcloud's file /sdk/\(Self.name)")
        environment["CLOUDSDK_CONFIG"] = nil
        #expect(try find(environment, files).origin == "gcloud's file \(Self.gcloud)")
        #expect(try find(environment, [:]).origin == "the metadata server")
        #expect(try find([:], files).origin == "the metadata server")
    }

    @Test(arguments: [
        #"{"type":"service_account","private_key":"c2VjcmV0"}"#, "eyJjMlZqY21WMCI6MX0c2VjcmV0",
        "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n",
    ])
    func `a variable with the credentials themselves is refused, not shown`(secret: String) {
        let environment = ["GOOGLE_APPLICATION_CREDENTIALS": secret]
        let sentence =
            "GOOGLE_APPLICATION_CREDENTIALS: has the credentials themselves; expected the path of their file"
        #expect(refusal(environment, [:]) == sentence)
        #expect(CredentialsSearch.places(environment) == [])
    }

    @Test func `the search goes on after a placeholder`() throws {
        let user = try CredentialsFixture.user.json()
        let placeholder = Array(#"{"type": "application_default"}"#.utf8)
        let environment = ["GOOGLE_APPLICATION_CREDENTIALS": "/key.json", "HOME": "/home/x"]
        #expect(try find(environment, ["/key.json": placeholder]).origin == "the metadata server")
        #expect(
            try find(environment, ["/key.json": placeholder, Self.gcloud: user]).origin
                == "gcloud's file \(Self.gcloud)")
        let more = Array(#"{"type": "application_default", "account": "x"}"#.utf8)
        #expect(refusal(environment, ["/key.json": more])?.contains("type") == true)
    }

    @Test func `gcloud's folder replaces the one in the home directory`() throws {
        let files = [Self.gcloud: try CredentialsFixture.user.json()]
        let environment = ["CLOUDSDK_CONFIG": "/sdk", "HOME": "/home/x"]
        guard case .metadataServer = try find(environment, files) else { throw Unexpected() }
    }

    @Test func `empty folders count as not set`() throws {
        let files = [Self.gcloud: try CredentialsFixture.user.json()]
        #expect(
            try find(["CLOUDSDK_CONFIG": "", "HOME": "/home/x"], files).origin == "gcloud's file \(Self.gcloud)")
        guard case .metadataServer = try find(["HOME": ""], files) else { throw Unexpected() }
    }

    @Test func `an empty variable counts as not set`() throws {
        let files = [Self.gcloud: try CredentialsFixture.user.json()]
        let found = try find(["GOOGLE_APPLICATION_CREDENTIALS": "", "HOME": "/home/x"], files)
        #expect(found.origin == "gcloud's file \(Self.gcloud)")
    }

    @Test func `a named file that is missing or unreadable is an error`() throws {
        let gcloud = try CredentialsFixture.user.json()
        #expect(
            refusal(Self.everywhere, [Self.gcloud: gcloud])
                == "/key.json (GOOGLE_APPLICATION_CREDENTIALS): cannot be opened: nothing there")
        #expect(
            refusal(Self.everywhere, ["/key.json": nil as [UInt8]?, Self.gcloud: gcloud])
                == "/key.json (GOOGLE_APPLICATION_CREDENTIALS): cannot be opened: Permission denied")
    }

    @Test func `a broken file is an error, and no other is tried`() throws {
        let expected = "expected Application Default Credentials as gcloud writes them"
        #expect(
            refusal(Self.everywhere, ["/key.json": []])
                == "/key.json (GOOGLE_APPLICATION_CREDENTIALS): the file is empty; \(expected)")
        let broken = try CredentialsFixture.user.json(["refresh_token": nil])
        #expect(
            refusal(["HOME": "/home/x"], [Self.gcloud: broken])
                == "\(Self.gcloud): refresh_token is missing; expected a string")
        #expect(
            refusal(["HOME": "/home/x"], [Self.gcloud: nil as [UInt8]?])
                == "\(Self.gcloud): cannot be opened: Permission denied")
    }

    @Test func `a secret that every user can read gives a warning`() throws {
        let key = ["GOOGLE_APPLICATION_CREDENTIALS": "/a"]
        guard
            case .file(_, _, let warning) = try find(key, ["/a": CredentialsFixture.user.json()]),
            case .file(_, _, nil) = try find(key, ["/a": CredentialsFixture.file.json()])
        else { throw Unexpected() }
        #expect(warning == "/a: others can read this file and so use its credentials; expected chmod 600")
    }

    @Test func `files on the disk are found, missed and refused`() throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "home-\(UUID().uuidString)")
        let folder = home.appending(path: ".config/gcloud")
        let search = CredentialsSearch(
            environment: ["HOME": home.path], allowedHosts: [], universeDomain: "googleapis.com")
        #expect(try search.find().origin == "the metadata server")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        #expect(try search.find().origin == "the metadata server")
        let file = folder.appending(path: Self.name)
        let content = Data(try CredentialsFixture.user.json())
        #expect(
            FileManager.default.createFile(
                atPath: file.path, contents: content, attributes: [.posixPermissions: 0o600]))
        #expect(try search.find().origin == "gcloud's file \(file.path)")
        try FileManager.default.setAttributes([.posixPermissions: 0o622], ofItemAtPath: file.path)
        #expect(
            #expect(throws: CredentialError.self) { try search.find() }?.sentence
                == "\(file.path): others can write this file and so choose the key; "
                + "expected chmod go-w, or better chmod 600")
    }
}
