import Foundation
import Testing

/// The parts of a JWT, unverified.
enum JSONWebToken {
    static func header(of token: String) throws -> [String: Any] { try part(0, of: token) }

    static func claims(of token: String) throws -> [String: Any] { try part(1, of: token) }

    private static func part(_ index: Int, of token: String) throws -> [String: Any] {
        let parts = token.split(separator: ".")
        try #require(parts.count == 3, "a token has three parts")
        var text = String(parts[index]).replacing("-", with: "+").replacing("_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        let data = try #require(Data(base64Encoded: text))
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}
