/// Texts that are not a token, or not a whole one.
extension BrokenToken {
    private static let healthy = TokenDraft().token
    private static let parts = healthy.split(separator: ".").map(String.init)

    static let texts: [BrokenToken] = [
        BrokenToken("nothing", "", "refused empty: the text is empty; expected a token"),
        BrokenToken("quotation marks around nothing", " \"\"\n", "refused empty: the text is empty; expected a token"),
        BrokenToken(
            "an OAuth access token", "Bearer ya29.a0AfH6SMBx",
            "refused access_token: this is an OAuth access token (ya29.), not a JWT: it cannot be restricted to a "
                + "trip or a vehicle"
        ),
        BrokenToken(
            "an API key in a header line", "Authorization: AIzaSyA-0123",
            "refused api_key: this is a Google API key (AIza), not a JWT: it says which project calls, not who may "
                + "see what"
        ),
        BrokenToken(
            "a refresh token", "1//0gabc",
            "refused refresh_token: this is an OAuth refresh token (1//), not a JWT: it can only be exchanged for "
                + "access tokens"
        ),
        BrokenToken(
            "a password of the scheme Basic", "authorization: Basic dXNlcjpwYXNz",
            "refused other_scheme: the Authorization header does not use the scheme Bearer"),
        BrokenToken(
            "a PEM key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", keyMaterial),
        BrokenToken(
            "a service account's key file", #"{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----"}"#,
            keyMaterial),
        BrokenToken("a JWK set", #"{"keys":[]}"#, keyMaterial),
        BrokenToken(
            "an error's JSON", #"{"code":"kind_off","status":404}"#,
            "refused no_token_in_json: this JSON has no token: none of its strings is a JWT"),
        BrokenToken(
            "an OAuth answer without ID token", #"{"access_token":"ya29.c.x","expires_in":3599}"#,
            "refused access_token: this is an OAuth access token (ya29.), not a JWT: it cannot be restricted to a "
                + "trip or a vehicle"
        ),
        BrokenToken(
            "half of a JSON answer", #"{"jwt":"eyJ"#,
            "refused no_token_in_json: this begins like JSON, but the JSON text is cut off at byte 11; expected the "
                + "rest of a value"
        ),
        BrokenToken(
            "an answer with two different tokens",
            "{\"a\":\"\(healthy)\",\"b\":\"\(TokenDraft(authorization: "{}").token)\"}",
            "refused several_tokens: there are several different tokens, in \"a\", \"b\"; expected one"),
        BrokenToken(
            "two tokens on two lines", "\(healthy)\n\(TokenDraft(authorization: "{}").token)",
            "refused several_tokens: there are several different tokens; expected one"),
        BrokenToken(
            "an opaque text", "gho_16C7e42F292c6912E7",
            "refused not_three_parts: the text has no dots, and a JWT has two: it is not a JWT, but perhaps an "
                + "opaque token of another system"
        ),
        BrokenToken(
            "a token whose signature was left behind", "\(parts[0]).\(parts[1])",
            "refused not_three_parts: the text has one dot, and a JWT has two: its signature is cut off"),
        BrokenToken(
            "an encrypted token", "eyJ.a.b.c.d",
            "refused not_three_parts: the text has four dots: it is an encrypted token (JWE), not a signed one"),
        BrokenToken(
            "padding after the header and the payload", "\(parts[0])=.\(parts[1])==.\(parts[2])",
            "refused not_base64url: the header is not base64url: it has padding (=)",
            "refused not_base64url: the payload is not base64url: it has padding (=)"),
        BrokenToken(
            "a signature in the standard alphabet", "\(parts[0]).\(parts[1]).ab+/",
            "refused not_base64url: the signature is not base64url: it has + or /, of the standard alphabet"),
        BrokenToken(
            "a letter that base64url has not", "\(parts[0]).\(parts[1])é.\(parts[2])",
            "refused not_base64url: the payload is not base64url: it has a character that base64url does not have"),
        BrokenToken(
            "a signature that lacks its last character", String(healthy.dropLast()),
            "refused not_base64url: the signature is not base64url: it ends within a byte, so a character is missing"),
        BrokenToken(
            "a signature whose last character was changed", String(healthy.dropLast()) + "_",
            "refused not_base64url: the signature is not base64url: its last character has stray bits, so it was "
                + "changed or cut off"
        ),
        BrokenToken(
            "a header that is not JSON", TokenDraft.join("{alg:RS256}", TokenDraft.json(TokenDraft().claims)),
            "refused not_json: the header is not JSON: the JSON text has something other than a member's name at byte "
                + "1; expected a string"
        ),
        BrokenToken(
            "a payload that is an array", TokenDraft.join(TokenDraft.json(TokenDraft().header), "[]"),
            "refused not_object: the payload is JSON, but not an object"),
        BrokenToken(
            "a payload with two exp", TokenDraft.join(TokenDraft.json(TokenDraft().header), #"{"exp":1,"\u0065xp":2}"#),
            "refused repeated_member: the payload has a member twice: readers disagree on which one applies"),
        BrokenToken(
            "an empty signature", TokenDraft { $0.signature = [] }.token,
            "refused signature_missing: the signature is empty: anyone could have written the token"),
        BrokenToken(
            "a signature of an HMAC's length", TokenDraft { $0.signature = [UInt8](repeating: 1, count: 32) }.token,
            "refused signature_length: the signature has 32 bytes; expected 256, as from Google's RSA-2048 keys"),
        BrokenToken(
            "a signature by RSA-4096", TokenDraft { $0.signature = [UInt8](repeating: 1, count: 512) }.token,
            "warning signature_length: the signature has 512 bytes; expected 256, as from Google's RSA-2048 keys"),
        BrokenToken(
            "a token with line breaks in it", "\(healthy.prefix(40))\r\n  \(healthy.dropFirst(40))",
            "note broken_apart: the token has white space or a line break in it, which inspect ignored"),
    ]

    static let credentials: [BrokenToken] = [
        BrokenToken("Bearer alone", "Authorization: Bearer", "refused empty: nothing follows Bearer; expected a token"),
        BrokenToken(
            "a curl command with Bearer alone", "curl -H 'Authorization: Bearer ' https://x",
            "refused empty: nothing follows Bearer; expected a token"),
        BrokenToken("a curl command with a Google API key", "curl 'https://x/v1/a?b=c&key=AIzaSyA-0123'", keyInURL),
        BrokenToken("a URL with a Google API key", "https://x/v1/a?key=AIzaSyA-0123", keyInURL),
        BrokenToken(
            "a curl command with a Google API key in a header", "curl -H 'X-Goog-Api-Key: AIzaSyA-0123' https://x",
            "refused api_key: this is a Google API key (AIza), not a JWT: it says which project calls, not who may "
                + "see what"),
        BrokenToken("a curl command without credentials", "$ curl -s https://x/$VEHICLE \\\n  -v", noCredentials),
        BrokenToken("a curl command of two words", "curl https://x", noCredentials),
        BrokenToken("a curl command with a password", "curl -u user:secret https://x", otherScheme),
        BrokenToken("a curl command of the scheme Basic", "curl -H 'Authorization: Basic eDp5' https://x", otherScheme),
        BrokenToken("an API key of ours", secret, providerKey),
        BrokenToken("an API key of ours after Bearer", "Authorization: Bearer \(secret)", providerKey),
        BrokenToken("an API key of ours in its own header", "X-API-Key: \(secret)", providerKey),
        BrokenToken(
            "what api-key new prints", "The key, which is shown only once:\n\(secret)\n\nIts line:\nx", providerKey),
        BrokenToken("what api-key new --json prints", #"{"key":"\#(secret)","line":"x"}"#, providerKey),
        BrokenToken("a curl command with a key of ours", "curl -H 'X-API-Key:\(secret)' https://x", providerKey),
        BrokenToken("a curl command with our key as bearer", "curl -H 'Authorization: Bearer \(secret)'", providerKey),
        BrokenToken("a variable", "$TOKEN", variable), BrokenToken("a variable in braces", "${TOKEN}", variable),
        BrokenToken("a variable after Bearer", "'Authorization: Bearer $TOKEN'", variable),
        BrokenToken("a command's substitution", "Bearer $(token-provider mint --trip t-1)", variable),
        BrokenToken("a variable with a key's name", "$\(secret)", variable),
        BrokenToken("a curl command with a variable", "curl -H 'Authorization: Bearer ${TOKEN}' https://x", variable),
        BrokenToken(
            "a curl command with a header's substitution", "curl -H \"$(token-provider mint --header)\" https://x",
            variable),
        BrokenToken("Bearer twice", "Authorization: Bearer Bearer \(healthy)", twice),
        BrokenToken("Bearer twice in other case", "bearer Bearer \(healthy)", twice),
        BrokenToken("a curl command with Bearer twice", "curl -H 'Authorization:Bearer Bearer \(healthy)'", twice),
        BrokenToken("Bearer twice in JSON", #"{"token":"Bearer Bearer \#(healthy)"}"#, twice),
        BrokenToken(
            "an error of ours", problem("invalid_id", "tripID: the id is empty; expected 1 to 64 characters."),
            "refused error_answer: this is the error \"invalid_id\" of token-provider, not a token: tripID: the id "
                + "is empty; expected 1 to 64 characters"),
        BrokenToken(
            "an error of ours after its head",
            "HTTP/1.1 403 Forbidden\r\n\r\n" + problem("not_allowed", "This caller may not have this token."),
            "refused error_answer: this is the error \"not_allowed\" of token-provider, not a token: This caller may "
                + "not have this token"),
        BrokenToken(
            "an error with a key in its detail",
            problem("x", "The query parameter \(secret) is not known; expected y."),
            "refused error_answer: this is the error (not shown) of token-provider, not a token: its detail is not "
                + "shown because it holds a credential"),
        BrokenToken(
            "an error without detail", problem("x", ""),
            "refused error_answer: this is the error \"x\" of token-provider, not a token: without detail"),
        BrokenToken(
            "an error with control characters", problem(#"\u001b]0;"#, #"\u001b[2J\u202e."#),
            #"refused error_answer: this is the error "\u001b]0;" of token-provider, not a token: \u001b[2J\u202e"#),
        BrokenToken(
            "an error about a kind", problem("kinds.server.credentials_unset", "The kind is not served."),
            "refused error_answer: this is the error \"kinds.server.credentials_unset\" of token-provider, not a "
                + "token: The kind is not served"),
    ]

    /// What none of the findings may show.
    static let secret = "tpk_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I"

    private static func problem(_ code: String, _ detail: String) -> String {
        #"{"type":"about:blank","title":"x","status":400,"detail":"\#(detail)","code":"\#(code)"}"#
    }

    private static let keyInURL =
        "refused api_key: the URL has a Google API key (key=AIza) instead of a token: it says which project calls, "
        + "not who may see what"
    private static let noCredentials =
        "refused no_credentials: the curl command sends no token: it has no Authorization header"
    private static let otherScheme = "refused other_scheme: the Authorization header does not use the scheme Bearer"
    private static let providerKey =
        "refused provider_api_key: this is an API key of token-provider (tpk_), not a JWT: only token-provider "
        + "accepts it, in exchange for a token"
    private static let variable =
        "refused unexpanded_variable: this is the name of a shell variable or a command, not its value: the shell "
        + "did not expand it"
    private static let twice =
        "refused bearer_twice: the header says Bearer twice: Fleet Engine takes the second for the token"
    private static let keyMaterial =
        "refused key_material: this is a key, not a token: anyone who has a private key can sign as its account"
}
