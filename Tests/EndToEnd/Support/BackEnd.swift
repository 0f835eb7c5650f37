import Foundation
import Testing

/// A back end that decides by the first word of an id (`back_end.py`); ended when its owner is released.
final class BackEnd {
    private let client: RunningClient
    let port: String

    init() throws {
        client = try PythonClients.start("back_end.py", [])
        port = try #require(client.firstLine)
    }

    deinit { end() }

    func end() { client.terminate() }

    /// The URL for forward_auth.
    var url: String { "http://127.0.0.1:\(port)/allowed?key=backend-url-canary" }

    /// Makes the back end answer every request with a status; 0 restores the usual answers.
    func answerAll(with status: Int) throws { try post("/status/\(status)") }

    /// Makes the back end answer the requests for held ids.
    func releaseAll() throws { try post("/release") }

    private func post(_ path: String) throws {
        _ = try Curl("http://127.0.0.1:\(port)\(path)", ["-X", "POST", "-d", ""])
    }

    /// The requests that it received so far.
    func seen() throws -> Seen { try Seen(try Curl("http://127.0.0.1:\(port)/seen").json()) }

    struct Seen {
        let questions: [Question]
        let connections: Int
        /// Requests in progress: now, and the highest number so far.
        let active: Int
        let mostActive: Int

        fileprivate init(_ json: [String: Any]) throws {
            questions = try (json["questions"] as? [[String: Any]] ?? []).map { try Question($0) }
            connections = try #require(json["connections"] as? Int)
            active = try #require(json["active"] as? Int)
            mostActive = try #require(json["most_active"] as? Int)
        }
    }

    /// One request as the back end received it.
    struct Question {
        let path: String
        let fields: [(name: String, value: String)]
        let body: [UInt8]

        fileprivate init(_ json: [String: Any]) throws {
            path = try #require(json["path"] as? String)
            fields = (json["fields"] as? [[String]] ?? []).map { ($0[0].lowercased(), $0[1]) }
            let digits = Array(try #require(json["body"] as? String))
            body = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...($0 + 1)]), radix: 16)
            }
        }

        func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

        var text: String { String(decoding: body, as: UTF8.self) }
    }
}
