import FleetEngineToken
import HTTPClient
import OpenSSLCrypto
import StrictJSON

/// A token that `signJwt` answered: its header and claims are what was asked, its signature is not yet verified.
struct SignedJWT: Sendable {
    /// The longest key id.
    private static let maxKeyIDBytes = 128

    /// The token, a compact JWS (RFC 7515 section 7.1).
    let jwt: [UInt8]
    /// The id of the key that signed it.
    let keyID: String
    private let signingInput: [UInt8]
    private let signature: [UInt8]

    /// The token in an answer with the status 200. Throws the first difference from what was asked: `signJwt` adds no
    /// claim to a set that has `exp` (only the older method of the IAM API adds one where it is missing).
    init(_ response: HTTPClientResponse, asked claims: [UInt8]) throws(SignedJWTError) {
        guard response.isJSON else { throw .otherContentType(response.values(of: "content-type").first) }
        (keyID, jwt) = try Self.members(response.body.selfDelimiting)
        let (header, payload): (ArraySlice<UInt8>, [UInt8])
        do throws(CompactJWSError) {
            let parts = try CompactJWSParts(splitting: jwt)
            header = parts.header
            payload = try CompactJWSParts.bytes(of: parts.payload, part: .payload)
            signingInput = parts.signingInput
            signature = try CompactJWSParts.bytes(of: parts.signature, part: .signature)
        } catch {
            throw .notCompactJWS
        }
        try Self.check(header: header, keyID)
        // The same bytes are the same claims; Google may write them in another order.
        if !payload[...].hasSameBytes(as: claims[...]) { try Self.compare(payload, asked: claims) }
    }

    /// Whether the key verifies the signature by RS256.
    func isSigned(by key: VerificationKey) -> Bool { key.verify(signature, of: signingInput, by: .rs256) }

    private static func members(_ body: [UInt8]) throws(SignedJWTError) -> (keyID: String, jwt: [UInt8]) {
        let json: JSONValue
        do { json = try JSONValue(parsing: body) } catch { throw .notJSON(error) }
        guard case .object(let members) = json, case .string(let keyID) = members["keyId"],
            case .string(let jwt) = members["signedJwt"]
        else { throw .otherMembers }
        guard (1...maxKeyIDBytes).contains(keyID.utf8.count), keyID.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .badKeyID }
        return (keyID, Array(jwt.utf8))
    }

    /// The header that `signJwt` writes: `alg`, `typ` and `kid`.
    private static func check(header encoded: ArraySlice<UInt8>, _ keyID: String) throws(SignedJWTError) {
        let header: JSONObject
        do { header = try CompactJWSParts.object(in: encoded, part: .header) } catch { throw .notCompactJWS }
        guard header["alg"] == .string(JWSAlgorithm.rs256.rawValue) else {
            throw .otherHeader("alg", expected: JWSAlgorithm.rs256.rawValue)
        }
        guard header["typ"] == .string("JWT") else { throw .otherHeader("typ", expected: "JWT") }
        guard header["kid"] == .string(keyID) else { throw .otherHeader("kid", expected: "keyId of the answer") }
        // Extensions that a verifier must understand (RFC 7515 section 4.1.11); Fleet Engine knows none.
        guard header["crit"] == nil else { throw .otherHeader("crit", expected: "none") }
    }

    private static func compare(_ payload: [UInt8], asked claims: [UInt8]) throws(SignedJWTError) {
        guard case .object(let found)? = try? JSONValue(parsing: payload) else { throw .notCompactJWS }
        guard case .object(let asked)? = try? JSONValue(parsing: claims) else { throw .badClaims }
        if let name = asked.names.first(where: { found[$0] == nil }) { throw .claim(name.text, .missing) }
        if let name = asked.names.first(where: { found[$0] != asked[$0] }) { throw .claim(name.text, .changed) }
        if let name = found.names.first(where: { asked[$0] == nil }) { throw .claim(name.text, .added) }
    }
}

/// Why an answer of `signJwt` is not used. It holds nothing of the token but a claim's name.
enum SignedJWTError: Error, Hashable {
    enum Difference: String, Hashable {
        case missing = "lacks the claim"
        case changed = "changes the claim"
        case added = "adds the claim"
    }

    case otherContentType(String?)
    case notJSON(JSONError)
    case otherMembers
    case badKeyID
    case notCompactJWS
    case otherHeader(String, expected: String)
    case claim(String, Difference)
    /// The requested claims are not a JSON object.
    case badClaims
    case badSignature

    /// Whether the answer holds nothing like a token, so that the service, or something before it, is broken.
    var isGarbage: Bool {
        switch self {
        case .otherContentType, .notJSON, .otherMembers, .badKeyID, .notCompactJWS: true
        case .otherHeader, .claim, .badClaims, .badSignature: false
        }
    }

    /// The predicate of a sentence about the service.
    var problem: String {
        switch self {
        case .otherContentType(let type):
            "answered with \(type.map { "the content type \(ReceivedText.quoted($0))" } ?? "no content type"); "
                + "expected application/json"
        case .notJSON(let error): "answered with something other than JSON: \(error.sentence)"
        case .otherMembers: "answered without keyId or signedJwt; expected both as strings"
        case .badKeyID: "answered with a bad keyId; expected 1 to 128 visible ASCII characters"
        case .notCompactJWS: "answered with a signedJwt that is not a compact JWS of JSON objects (RFC 7515)"
        case .otherHeader(let name, let expected):
            "answered with a token whose header has another \(name); expected \(expected)"
        case .claim(let name, let difference):
            "answered with a token that \(difference.rawValue) \(ReceivedText.quoted(name)); "
                + "expected exactly the claims that were asked for"
        case .badClaims: "was asked for claims that are not a JSON object"
        case .badSignature: "answered with a token whose signature is not by the published key with its kid"
        }
    }
}
