@testable import TokenProvider
@testable import ServiceConfigurationTests
import Logging
import Testing

@testable import HTTPServer
@testable import OpenSSLCrypto
@testable import ServiceConfiguration
@testable import StrictJSON
@testable import TokenService

/// A key of an identity provider, with which tests sign callers' tokens.
struct ProviderKey {
    static let issuer = "https://id.example"
    static let audience = "fleet"
    private static let shared = Result { try (0..<2).map { _ in try RSAPrivateKey.generate() } }

    let key: RSAPrivateKey
    let keyID: String

    /// One of two keys that all tests share.
    init(_ number: Int = 0, keyID: String = "k1") throws {
        key = try Self.shared.get()[number]
        self.keyID = keyID
    }

    /// The JWK set of the key's public half.
    func set() throws -> String {
        String(decoding: try JWKSet.render([(keyID: keyID, publicKey: key.publicKey())]), as: UTF8.self)
    }

    /// A token that is valid for an hour; `claims` are further members.
    func token(of issuer: String = issuer, claims: String = #""sub":"rider-7""#) throws -> [UInt8] {
        let now = ServerTime.now().epochSeconds
        let body = #"{"iss":"\#(issuer)","aud":"\#(Self.audience)","iat":\#(now),"exp":\#(now + 3600),\#(claims)}"#
        let dot = [UInt8(ascii: ".")]
        let head = Base64URL.encode(Array(#"{"alg":"RS256","kid":"\#(keyID)"}"#.utf8))
        let input = head + dot + Base64URL.encode(Array(body.utf8))
        return try input + dot + Base64URL.encode(key.sign(input))
    }
}

/// The settings of a configuration file.
func callerValues(_ yaml: String) throws -> ConfigurationValues {
    try resolve(yaml, environment: servingEveryKind).configuration.values
}

/// The errors of the files that a configuration names.
func callerErrors(_ yaml: String) throws -> [String] {
    do throws(ConfigurationErrors) {
        _ = try CallerSetup(try callerValuesOrNone(yaml), logger: .silent)
        return []
    } catch {
        return error.sentences
    }
}

private func callerValuesOrNone(_ yaml: String) throws(ConfigurationErrors) -> ConfigurationValues {
    do {
        return try callerValues(yaml)
    } catch {
        throw ConfigurationErrors(sentences: ["\(error)"])
    }
}

/// Parses a request with these header lines, and passes it to the body.
func withRequest<Value>(
    _ fields: [String], peer: IPAddress? = nil, _ body: (borrowing HTTPRequest) throws -> Value
) throws -> Value {
    let lines = fields.map { "\($0)\r\n" }.joined()
    let bytes = Array("GET /token HTTP/1.1\r\nHost: test\r\n\(lines)\r\n".utf8)
    return try bytes.withUnsafeBytes { buffer in
        let parsed = RequestParser(limits: HTTPLimits()).parse(Span(_unsafeBytes: buffer))
        guard case .request(let head) = parsed else { throw NoRequest() }
        return try body(HTTPRequest(bytes: buffer, head: head, peer: peer, requestID: 0))
    }
}

private struct NoRequest: Error {}
