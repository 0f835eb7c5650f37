import HTTPServer
import OpenSSLCrypto
import StrictJSON
import TokenService

/// The answers of the admin listener that stay the same: `/version`, and `/.well-known/jwks.json` (RFC 7517 section 5).
struct AdminDocuments: Sendable {
    let version: HTTPResponse
    let keys: HTTPResponse

    /// The documents of these signers.
    init(_ signers: Signers) throws {
        var json = JSONWriter()
        json.object { $0.member("version", TokenProviderCommand.version) }
        version = AdminDocuments.response(.version, json.bytes)
        let set = try JWKSet.render(signers.publicKeys())
        keys = AdminDocuments.response(.keys, set, type: "application/jwk-set+json")
    }

    /// An answer of the admin listener: JSON with a line's end, for terminals.
    static func response(
        _ path: AdminPath, _ json: [UInt8], status: HTTPStatus = .ok, type: String = "application/json"
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, fields: .unstored(type), body: json + [UInt8(ascii: "\n")],
            annotation: HTTPAnnotation(route: path.rawValue))
    }
}
