import Foundation
import Testing

/// One request and its answer, by the `curl` program.
struct Curl {
    /// The HTTP version as curl writes it: 1.1 or 2.
    let version: String
    let status: Int
    let fields: [String: String]
    let body: String

    /// Fetches a URL; further arguments go to curl.
    init(_ url: String, _ arguments: [String] = []) throws {
        let text = try Program.mustRun("curl", ["-sS", "-i", "--max-time", "600"] + arguments + [url])
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = parts[0].split(separator: "\r\n")
        version = String(lines[0].prefix { $0 != " " }.trimmingPrefix("HTTP/"))
        status = try #require(Int(lines[0].split(separator: " ")[1]))
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            fields[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces)
        }
        self.fields = fields
        body = parts.count > 1 ? String(parts[1]) : ""
    }

    /// The body as a JSON object.
    func json() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
    }
}
