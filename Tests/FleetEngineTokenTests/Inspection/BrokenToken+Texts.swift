/// Texts that are something else than a token, or no whole one.
extension BrokenToken {
    private static let healthy = TokenDraft().token
    private static let parts = healthy.split(separator: ".").map(String.init)

    static let texts: [BrokenToken] = [
        BrokenToken("nothing", "", "refused empty: there is no token: the text is empty"),
        BrokenToken("quotation marks around nothing", " \"\"\n", "refused empty: there is no token: the text is empty"),
        BrokenToken(
            "an OAuth access token", "Bearer ya29.a0AfH6SMBx",
            "refused access_token: this is an OAuth access token (ya29.), which is opaque and cannot be restricted to a "
                + "trip or a vehicle"),
        BrokenToken(
            "an API key in a header line", "Authorization: AIzaSyA-0123",
            "refused api_key: this is an API key (AIza), which says which project calls and not who may see what"),
        BrokenToken(
            "a refresh token", "1//0gabc",
            "refused refresh_token: this is an OAuth refresh token (1//), with which access tokens are fetched"),
        BrokenToken(
            "a password of the scheme Basic", "authorization: Basic dXNlcjpwYXNz",
            "refused other_scheme: the Authorization field does not use the scheme Bearer"),
        BrokenToken(
            "a PEM key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", keyMaterial),
        BrokenToken(
            "a service account's key file", #"{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----"}"#,
            keyMaterial),
        BrokenToken("a JWK set", #"{"keys":[]}"#, keyMaterial),
        BrokenToken(
            "an error's JSON", #"{"code":"kind_off","status":404}"#,
            "refused no_token_in_json: no string in this JSON is a JWT, so it is no token's answer; perhaps an error's"),
        BrokenToken(
            "an OAuth answer without ID token", #"{"access_token":"ya29.c.x","expires_in":3599}"#,
            "refused access_token: this is an OAuth access token (ya29.), which is opaque and cannot be restricted to a "
                + "trip or a vehicle"),
        BrokenToken(
            "half of a JSON answer", #"{"jwt":"eyJ"#,
            "refused no_token_in_json: this looks like JSON and is not: the JSON text is cut off at byte 11; expected "
                + "the rest of a value"),
        BrokenToken(
            "an answer with two different tokens",
            "{\"a\":\"\(healthy)\",\"b\":\"\(TokenDraft(authorization: "{}").token)\"}",
            "refused several_tokens: there are several different tokens, in \"a\", \"b\""),
        BrokenToken(
            "two tokens on two lines", "\(healthy)\n\(TokenDraft(authorization: "{}").token)",
            "refused several_tokens: there are several different tokens"),
        BrokenToken(
            "an opaque text", "gho_16C7e42F292c6912E7",
            "refused not_three_parts: the text has 1 part, divided by dots, and a signed JWT has 3; it is no JWT, perhaps "
                + "an opaque token of another system"),
        BrokenToken(
            "a token whose signature was left behind", "\(parts[0]).\(parts[1])",
            "refused not_three_parts: the text has 2 parts, divided by dots, and a signed JWT has 3; its signature is cut "
                + "off"),
        BrokenToken(
            "an encrypted token", "eyJ.a.b.c.d",
            "refused not_three_parts: the text has 5 parts, divided by dots, and a signed JWT has 3; it is encrypted "
                + "(JWE), not signed"),
        BrokenToken(
            "padding after the header and the payload", "\(parts[0])=.\(parts[1])==.\(parts[2])",
            "refused not_base64url: the header has padding (=)", "refused not_base64url: the payload has padding (=)"),
        BrokenToken(
            "a signature in the standard alphabet", "\(parts[0]).\(parts[1]).ab+/",
            "refused not_base64url: the signature has + or /, of the standard alphabet"),
        BrokenToken(
            "a letter that base64url has not", "\(parts[0]).\(parts[1])é.\(parts[2])",
            "refused not_base64url: the payload has a character that base64url has not"),
        BrokenToken(
            "a signature that lacks its last character", String(healthy.dropLast()),
            "refused not_base64url: the signature ends within a byte, so a character is missing"),
        BrokenToken(
            "a signature whose last character was changed", String(healthy.dropLast()) + "_",
            "refused not_base64url: the signature ends with bits that belong to no byte, so it was changed or cut"),
        BrokenToken(
            "a header that is no JSON", TokenDraft.join("{alg:RS256}", TokenDraft.json(TokenDraft().claims)),
            "refused not_json: the header is not JSON: the JSON text has something else than a member's name at byte 1; "
                + "expected a string"),
        BrokenToken(
            "a payload that is an array", TokenDraft.join(TokenDraft.json(TokenDraft().header), "[]"),
            "refused not_object: the payload is JSON, but not an object"),
        BrokenToken(
            "a payload with two exp", TokenDraft.join(TokenDraft.json(TokenDraft().header), #"{"exp":1,"\u0065xp":2}"#),
            "refused repeated_member: the payload has a member twice, and readers differ on which one counts"),
        BrokenToken(
            "an empty signature", TokenDraft { $0.signature = [] }.token,
            "refused signature_missing: the signature is empty, so anybody could have written the token"),
        BrokenToken(
            "a signature of an HMAC's length", TokenDraft { $0.signature = [UInt8](repeating: 1, count: 32) }.token,
            "refused signature_length: the signature has 32 bytes; one of the RSA-2048 keys that Google makes has 256"),
        BrokenToken(
            "a signature by RSA-4096", TokenDraft { $0.signature = [UInt8](repeating: 1, count: 512) }.token,
            "warning signature_length: the signature has 512 bytes; one of the RSA-2048 keys that Google makes has 256"),
        BrokenToken(
            "a token with line breaks in it", "\(healthy.prefix(40))\r\n  \(healthy.dropFirst(40))",
            "note broken_apart: there was white space or a line break within the token, which was taken out"),
    ]

    private static let keyMaterial =
        "refused key_material: this is a key, not a token; if it is a private key, whoever sees it can sign as its account"
}
