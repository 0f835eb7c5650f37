import Foundation

/// A key of an identity provider, with which tests sign callers' tokens.
package struct ProviderKey {
    package static let issuer = "https://id.example"
    package static let audience = "fleet"
    private static let shared = Result { try (0..<2).map { _ in try OpenSSLKey(.rsa) } }

    private let key: OpenSSLKey
    private let keyID: String

    /// One of two keys that all tests share.
    package init(_ number: Int = 0, keyID: String = "k1") throws {
        key = try Self.shared.get()[number]
        self.keyID = keyID
    }

    /// The JWK set of the key's public half.
    package func set() throws -> String { String(decoding: try key.set(keyID: keyID), as: UTF8.self) }

    /// A token that is valid for an hour; `claims` are further members.
    package func token(of issuer: String = issuer, claims: String = #""sub":"rider-7""#) throws -> [UInt8] {
        let now = Int(Date().timeIntervalSince1970)
        let body = #"{"iss":"\#(issuer)","aud":"\#(Self.audience)","iat":\#(now),"exp":\#(now + 3600),\#(claims)}"#
        let input = [#"{"alg":"RS256","kid":"\#(keyID)"}"#, body].map { base64URL($0.utf8) }.joined(separator: ".")
        return Array("\(input).\(base64URL(try key.sign(Array(input.utf8), by: "RS256")))".utf8)
    }
}
