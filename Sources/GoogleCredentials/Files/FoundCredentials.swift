import StrictJSON
import SystemFiles

/// What a search for credentials found.
package enum FoundCredentials: Sendable {
    /// A file, where it was found, and a warning about its permissions, if there is one.
    case file(CredentialsFile, CredentialsOrigin, warning: String?)
    /// No file: the metadata server of the machine has credentials, if the machine is Google's.
    case metadataServer

    /// Where they were found, such as "the metadata server".
    package var origin: String {
        switch self {
        case .file(_, let origin, _): origin.description
        case .metadataServer: "the metadata server"
        }
    }
}

/// What named a file of credentials.
package enum CredentialsOrigin: Hashable, Sendable, CustomStringConvertible {
    /// `GOOGLE_APPLICATION_CREDENTIALS`.
    case variable(path: String)
    /// Nothing: it is where gcloud writes it.
    case gcloud(path: String)

    /// The file.
    package var path: String {
        switch self {
        case .variable(let path), .gcloud(let path): path
        }
    }

    /// How the file was found, such as "gcloud's file /home/x/.config/gcloud/application_default_credentials.json".
    package var description: String {
        switch self {
        case .variable(let path): "the file \(path) of \(CredentialsSearch.variable)"
        case .gcloud(let path): "gcloud's file \(path)"
        }
    }

    /// The file's name in error messages.
    var source: String {
        switch self {
        case .gcloud(let path): path
        case .variable(let path): "\(path) (\(CredentialsSearch.variable))"
        }
    }
}

/// A file of credentials as it is on the disk.
package struct CredentialsContent: Sendable {
    package let bytes: [UInt8]
    /// Whether every user of this machine can read it.
    package let isReadableByOthers: Bool

    /// The content of a file.
    package init(bytes: [UInt8], isReadableByOthers: Bool) {
        self.bytes = bytes
        self.isReadableByOthers = isReadableByOthers
    }

    /// Whether a file is `{"type": "application_default"}`, which says that the search goes on. Service units and
    /// images have it where a key file may be put.
    package static func isPlaceholder(_ bytes: [UInt8]) -> Bool {
        guard case .object(let members)? = try? JSONValue(parsing: bytes), members.names.count == 1 else {
            return false
        }
        return members["type"] == .string("application_default")
    }

    /// Reads a file that no other user can write.
    package static func read(_ path: String) throws(TrustedFileError) -> CredentialsContent {
        let file = try TrustedFile(path: path, for: .secret(CredentialsFile.expectation))
        return CredentialsContent(bytes: file.content, isReadableByOthers: file.isReadableByOthers)
    }
}
