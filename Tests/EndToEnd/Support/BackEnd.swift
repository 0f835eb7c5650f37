import Foundation
import Testing

/// A company's back end that decides by the word an id begins with (`back_end.py`), ended with its owner.
final class BackEnd {
    private let client: RunningClient
    let port: String

    init() throws {
        client = try PythonClients.start("back_end.py", [])
        port = try #require(client.firstLine)
    }

    deinit { end() }

    func end() { client.terminate() }

    /// Where it is asked.
    var url: String { "http://127.0.0.1:\(port)/allowed?key=backend-url-canary" }

    /// Has it answer every question with a status; 0: as before.
    func answerAll(with status: Int) throws {
        _ = try Curl("http://127.0.0.1:\(port)/status/\(status)", ["-X", "POST", "-d", ""])
    }

    /// What it was asked, and how.
    func seen() throws -> Seen { try Seen(try Curl("http://127.0.0.1:\(port)/seen").json()) }

    /// What a back end has seen so far.
    struct Seen {
        let questions: [Question]
        let connections: Int
        /// Questions under way, now and at most.
        let active: Int
        let mostActive: Int

        fileprivate init(_ json: [String: Any]) throws {
            questions = try (json["questions"] as? [[String: Any]] ?? []).map { try Question($0) }
            connections = try #require(json["connections"] as? Int)
            active = try #require(json["active"] as? Int)
            mostActive = try #require(json["most_active"] as? Int)
        }
    }

    /// One question as it came.
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
