import Testing

/// A loopback server of an identity provider's keys that counts who fetches them.
struct KeyServer {
    let url: String
    private let client: RunningClient

    /// On a port that the system chooses, or where another one was before.
    init(at place: String? = nil) throws {
        let port = place?.split(separator: ":").last.map(String.init)
        client = try PythonClients.startProvider("key_server.py", port.map { [$0] } ?? [])
        url = "http://127.0.0.1:\(try #require(client.firstLine))"
    }

    /// A token of its present keys; `key` is rsa, ec or ed.
    func token(key: String = "rsa") throws -> String {
        let claims = #"{"iss":"\#(url)","sub":"user-1","aud":"token-provider"}"#
        return try #require(try Curl("\(url)/token?key=\(key)", ["-d", claims]).json()["token"] as? String)
    }

    /// Takes new keys in place of the former ones.
    func rotate() throws { _ = try Curl("\(url)/rotate", ["-d", ""]) }

    /// How often its keys were fetched.
    func fetches(_ path: String = "/jwks") throws -> Int? { try Curl("\(url)/counts").json()[path] as? Int }

    /// Ends it; nobody answers at its address then.
    func end() { client.terminate() }
}
