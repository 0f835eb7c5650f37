import FleetEngineToken
import Foundation
import Testing

@testable import HTTPServer
@testable import TokenService

/// The result of a query in one line: `consumer a`, `driver b relative`, `delivery_consumer a android`, or
/// `code: sentence`.
func outcome(of query: String, for kind: TokenKind? = nil, ignoring ignored: Set<String> = []) -> String {
    do throws(TokenProblem) {
        var asked = TokenQuery()
        try asked.read(
            Array(query.utf8).span, for: kind, ignoring: Set(ignored.map { Array($0.utf8) }))
        let expiration = asked.expiration.map { " \($0.rawValue)" } ?? ""
        let format = asked.format.map { " \($0.rawValue)" } ?? ""
        let claims = try asked.ids.takeClaims(of: nil)
        return
            "\(IDLabel.plain.text(for: claims).replacing(":", with: " ", maxReplacements: 1))\(expiration)\(format)"
    } catch {
        return "\(error.code): \(error.detail)"
    }
}

/// The decoded text of a part of a token.
func decodedBase64URL(_ part: String) -> String {
    let text = part.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    return String(decoding: Data(base64Encoded: padded) ?? Data(), as: UTF8.self)
}

extension HTTPResponse {
    /// The headers as a client gets them.
    var fieldText: String { String(decoding: fields.bytes, as: UTF8.self) }
}
