import TestSupport
import Foundation
import Testing

/// An app on the client library (`ClientProgram`) that trusts one authority; killed when its owner is released.
final class ClientLibrary {
    private let process: Child
    private let output: OutputPipe
    private let commands: FileHandle
    /// Its certificate is mounted when the program starts.
    private let authority: TestAuthority
    private let home: URL

    init(trusting authority: TestAuthority, scratch: Scratch) throws {
        self.authority = authority
        home = URL(filePath: scratch.path("home-\(UUID().uuidString)"))
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
        let pipe = scratch.path("commands-\(UUID().uuidString)")
        try #require(mkfifo(pipe, 0o600) == 0)
        // Opened for both, so that it waits for no reader.
        commands = try #require(FileHandle(forUpdatingAtPath: pipe))
        output = try OutputPipe()
        let program = URL(filePath: Program.daemon).deletingLastPathComponent().appending(path: "ClientProgram").path
        // On Linux, URLSession trusts only the system's authorities, so another file is mounted over theirs.
        let script = "mount --bind \"$0\" /etc/ssl/certs/ca-certificates.crt && exec \"$1\" <\"$2\""
        process = try Child(
            ["unshare", "-rm", "sh", "-c", script, authority.path, program, pipe], environment: ["HOME": home.path],
            output: .pipe(output))
    }

    deinit { process.end() }

    /// The files that it has written to its home folder, where Foundation on Linux makes folders that stay empty.
    func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: home.path).filter {
            try home.appending(path: $0).resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
        }
    }

    /// Gives it a command that has no answer.
    func tell(_ command: String) throws { try commands.write(contentsOf: Data("\(command)\n".utf8)) }

    /// Many callers ask for one subject's token at once.
    func ask(_ subject: String, callers: Int = 1, within seconds: Double = 30) throws -> Answer {
        try answer(to: "ask \(subject) \(callers) \(seconds)")
    }

    /// Gives it a command and waits for the answer.
    func answer(to command: String) throws -> Answer {
        try tell(command)
        let line = try output.read { $0.hasSuffix("\n") }
        return try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
    }

    /// What `ClientProgram` reports.
    struct Answer: Decodable {
        let tokens: [String]
        let errors: [String]
        let served: Int
        let leastLeft: Double?
    }
}

/// A daemon that serves https to callers of an identity provider, and an app on the client library.
struct ClientLibraryScene {
    let files: CallerFiles
    let authority: TestAuthority
    let provider: KeyServer
    let app: ClientLibrary

    init() throws {
        files = try CallerFiles()
        provider = try KeyServer()
        authority = try TestAuthority().certify("server")
        for name in ["server.pem", "server.key"] {
            try files.scratch.write(name, "")
            try Data(authority.bytes(name)).write(to: URL(filePath: files.scratch.path(name)))
        }
        app = try ClientLibrary(trusting: authority, scratch: files.scratch)
        try app.tell("credentials \(provider.token())")
    }

    /// Starts a daemon, and leads the app to it.
    func daemon(
        _ sections: String = "rules: [{name: all, kinds: [consumer, driver], ids: {tripID: any, vehicleID: any}}]",
        port: String = "0", environment: [String: String] = [:]
    ) throws -> DaemonProcess {
        let issuer = """
            issuers:
              - {issuer: "\(provider.url)", audiences: [token-provider], algorithms: [RS256], keys: discovery}
            """
        let secure = """
            tls: {listen: "127.0.0.1:\(port)", certificates: [{certificate: server.pem, key: server.key}]}
            \(sections)
            """
        let configuration = try files.configuration(secure, issuer: issuer)
        // Under faketime a Swift program has no arguments: its library moves the variables, beside which they are found.
        let own = DaemonProcess.withAdmin.merging(["TOKEN_PROVIDER_CONFIG": configuration]) { $1 }
        let daemon = try DaemonProcess(
            ["serve", "--config", configuration], environment: own.merging(environment) { $1 }, scratch: files.scratch)
        if port == "0" { try app.tell("url \(daemon.secureURL())") }
        return daemon
    }
}

extension DaemonProcess {
    /// How many requests for tokens were answered so far.
    func tokenRequests() throws -> Double { try Scrape(adminURL()).sum("requests_total", #"route="/token""#) }
}
