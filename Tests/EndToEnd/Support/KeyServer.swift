import Foundation
import Testing

/// A loopback server of an identity provider's keys that counts its requests.
struct KeyServer {
    let url: String
    private let client: RunningClient

    /// On a free port, or at the address of an earlier server.
    init(at address: String? = nil) throws {
        let port = address?.split(separator: ":").last.map(String.init)
        client = try PythonClients.startProvider("key_server.py", port.map { [$0] } ?? [])
        url = "http://127.0.0.1:\(try #require(client.firstLine))"
    }

    /// A token signed with a current key; `key` is rsa, ec or ed. It is valid for ten minutes unless told otherwise, and has
    /// the key's own `kid`, another one, or none if that is empty.
    func token(key: String = "rsa", kid: String? = nil, expiringAfter seconds: Int = 600) throws -> String {
        let end = Int(Date().timeIntervalSince1970) + seconds
        let claims = #"{"iss":"\#(url)","sub":"user-1","aud":"token-provider","exp":\#(end)}"#
        let query = "key=\(key)" + (kid.map { "&kid=\($0)" } ?? "")
        return try #require(try Curl("\(url)/token?\(query)", ["-d", claims]).json()["token"] as? String)
    }

    /// The keys that are published, by family: rsa, ec and ed.
    func keys() throws -> [[String: Any]] {
        try #require(try Curl("\(url)/jwks").json()["keys"] as? [[String: Any]])
    }

    /// Publishes these keys instead.
    func publish(_ keys: [Any]) throws {
        let set = try JSONSerialization.data(withJSONObject: ["keys": keys])
        _ = try Curl("\(url)/publish", ["-d", String(decoding: set, as: UTF8.self)])
    }

    /// Has it answer otherwise, as these members of JSON say.
    func set(_ options: String) throws { _ = try Curl("\(url)/set", ["-d", options]) }

    /// The Authorization headers of the requests for keys and metadata, empty if there was none.
    func authorizations() throws -> [String] {
        let answer = try Curl("\(url)/authorizations").body
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String])
    }

    /// Replaces the keys with new ones.
    func rotate() throws { _ = try Curl("\(url)/rotate", ["-d", ""]) }

    /// Publishes no keys any more.
    func withdraw() throws { _ = try Curl("\(url)/withdraw", ["-d", ""]) }

    /// The number of requests for a path.
    func fetches(_ path: String = "/jwks") throws -> Int? { try Curl("\(url)/counts").json()[path] as? Int }

    /// Ends the server, so that connections to its address are refused.
    func end() { client.terminate() }
}
