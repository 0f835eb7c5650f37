import TestSupport
import Foundation
import Testing

/// Google on this machine (`loopback_google.py`): metadata, OAuth 2.0, STS, IAM Credentials, published keys and
/// Fleet Engine.
final class LoopbackGoogle {
    private let client: RunningClient
    let url: String
    /// The paths of files of credentials, by what they are.
    let files: [String: String]

    /// The accounts' keys, made once for all tests: nine RSA keys take a second.
    private static let keys = Result {
        let scratch = try Scratch()
        let path = scratch.path("keys.json")
        let client = try PythonClients.startProvider("loopback_google.py", ["--stored", path])
        client.terminate()
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    init(in scratch: Scratch) throws {
        let stored = try scratch.write("google-keys.json", try Self.keys.get())
        client = try PythonClients.startProvider(
            "loopback_google.py", ["--files", scratch.path("google"), "--stored", stored])
        let line = try #require(client.firstLine)
        let facts = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        url = try #require(facts["url"] as? String)
        files = try #require(facts["files"] as? [String: String])
    }

    deinit { client.terminate() }

    /// Ends it, so that connections are refused.
    func stop() { client.terminate() }

    /// The host and port of the metadata server.
    var host: String { String(url.dropFirst("http://".count)) }

    /// The settings that lead to it.
    var settings: String {
        """
        google:
          iam_credentials: \(url)
          keys: \(url)
          fleet_engine: \(url)
        credentials_allowed_hosts: [127.0.0.1]

        """
    }

    /// Replaces its faults, a JSON list.
    func fail(_ faults: String) throws { try post("_faults", faults) }

    /// Gives an account a new key; the old ones stay published, or not.
    func rotate(_ account: String, keepingOld: Bool = true) throws {
        try post("_rotate", #"{"account":"\#(account)","keep":\#(keepingOld)}"#)
    }

    /// How many requests had this text in their path.
    func requests(_ path: String) throws -> Int {
        let answer = try Curl("\(url)/_requests?path=\(path)").json()
        return try #require(answer["requests"] as? [Any]).count
    }

    private func post(_ path: String, _ body: String) throws {
        let answer = try Curl("\(url)/\(path)", ["-X", "POST", "-H", "Content-Type: application/json", "-d", body])
        #expect(answer.status == 200, "\(answer.body)")
    }
}
