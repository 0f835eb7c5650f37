import StrictJSON

/// What was given instead of a token.
extension TokenFinding {
    static let giveJWT =
        "give the JWT that a service account signed for Fleet Engine; its text begins with eyJ and has two dots"

    static let empty = TokenFinding(.empty, .refused, nil, "there is no token: the text is empty", fix: giveJWT)

    static let otherScheme = TokenFinding(
        .otherScheme, .refused, nil, "the Authorization field does not use the scheme Bearer",
        fix: "send Authorization: Bearer and the JWT")

    static let keyMaterial = TokenFinding(
        .keyMaterial, .refused, nil,
        "this is a key, not a token; if it is a private key, whoever sees it can sign as its account",
        fix: "keep a private key secret, and give it as --key FILE if it is to verify a token")

    static let noTokenInJSON = TokenFinding(
        .noTokenInJSON, .refused, nil,
        "no string in this JSON is a JWT, so it is no token's answer; perhaps an error's",
        fix: giveJWT)

    static func unreadableJSON(_ error: JSONError) -> TokenFinding {
        TokenFinding(
            .noTokenInJSON, .refused, nil, "this looks like JSON and is not: \(error.sentence)",
            fix: "give the whole answer, or the token alone")
    }

    /// Different tokens in members of a JSON text, or one after another.
    static func severalTokens(in members: [String]) -> TokenFinding {
        let places = members.isEmpty ? "" : ", in " + members.map(Quoted.text).joined(separator: ", ")
        return TokenFinding(
            .severalTokens, .refused, nil, "there are several different tokens\(places)",
            fix: "inspect one after the other")
    }

    static let brokenApart = TokenFinding(
        .brokenApart, .note, nil, "there was white space or a line break within the token, which was taken out",
        fix: "see to it that the app sends the token without it")

    /// A credential of Google's that is known by its first characters.
    init?(opaque text: Substring) {
        if text.hasPrefix("ya29.") {
            self = .accessToken
        } else if text.hasPrefix("AIza") {
            self = .apiKey
        } else if text.hasPrefix("1//") {
            self = .refreshToken
        } else if text.hasPrefix("-----BEGIN ") {
            self = .keyMaterial
        } else {
            return nil
        }
    }

    private static let accessToken = TokenFinding(
        .accessToken, .refused, nil,
        "this is an OAuth access token (ya29.), which is opaque and cannot be restricted to a trip or a vehicle",
        fix: "give apps a JWT that a service account signed; an access token is for calling the IAM API that signs one")

    private static let apiKey = TokenFinding(
        .apiKey, .refused, nil, "this is an API key (AIza), which says which project calls and not who may see what",
        fix: "leave it in the map's settings, and give Fleet Engine a JWT that a service account signed")

    private static let refreshToken = TokenFinding(
        .refreshToken, .refused, nil, "this is an OAuth refresh token (1//), with which access tokens are fetched",
        fix: "keep it secret, and give Fleet Engine a JWT that a service account signed")
}
