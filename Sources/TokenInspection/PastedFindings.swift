/// What can be given instead of a token, or around it.
struct PastedFindings {
    private static let giveJWT = StructureFindings.giveJWT

    let empty = FindingRow("empty", "the text is empty; expected a token", fix: giveJWT)
    let nothingAfterBearer = FindingRow(
        "empty", "nothing follows Bearer; expected a token",
        fix: "give the JWT after Bearer; if a shell variable holds it, set the variable first")
    let accessToken = FindingRow(
        "access_token",
        "this is an OAuth access token (ya29.), not a JWT: it cannot be restricted to a trip or a vehicle",
        fix: "give apps a JWT that a service account signed; an access token is for calling the IAM API that signs one")
    let googleKey = FindingRow(
        "api_key", "this is a Google API key (AIza), not a JWT: it says which project calls, not who may see what",
        fix: "keep it for the map's settings, and give Fleet Engine a JWT that a service account signed")
    let googleKeyInURL = FindingRow(
        "api_key",
        "the URL has a Google API key (key=AIza) instead of a token: it says which project calls, not who may see what",
        fix: "remove key= from the URL, and add -H 'Authorization: Bearer TOKEN'")
    let refreshToken = FindingRow(
        "refresh_token", "this is an OAuth refresh token (1//), not a JWT: it can only be exchanged for access tokens",
        fix: "keep it secret, and give Fleet Engine a JWT that a service account signed")
    let providerKey = FindingRow(
        "provider_api_key",
        "this is an API key of token-provider (tpk_), not a JWT: only token-provider accepts it, in exchange "
            + "for a token",
        fix: "get a token with it, curl -H 'Authorization: Bearer KEY' http://HOST/token?tripID=ID; if others "
            + "saw the key, replace it with token-provider api-key new")
    let otherScheme = FindingRow(
        "other_scheme", "the Authorization header does not use the scheme Bearer",
        fix: "send Authorization: Bearer and the JWT")
    let bearerTwice = FindingRow(
        "bearer_twice", "the header says Bearer twice: Fleet Engine takes the second for the token",
        fix: "send Bearer once; if a program adds it, give that program the JWT alone")
    let variable = FindingRow(
        "unexpanded_variable",
        "this is the name of a shell variable or a command, not its value: the shell did not expand it",
        fix: "put it between double quotes instead of single quotes, and set the variable first")
    let noCredentials = FindingRow(
        "no_credentials", "the curl command sends no token: it has no Authorization header",
        fix: "add -H 'Authorization: Bearer TOKEN' to the command")
    let keyMaterial = FindingRow(
        "key_material", "this is a key, not a token: anyone who has a private key can sign as its account",
        fix: "keep a private key secret; to verify a token with a key, give its file with --key FILE")
    let errorAnswer = FindingRow(
        "error_answer", "this is the error {0} of token-provider, not a token: {1}", fix: "{2}")
    let unknownError = FindingRow(
        "error_answer", "this is the error {0} of token-provider, not a token: {1}",
        fix: "do what the error says, or ask the operator of token-provider: its log has the reason")
    let noTokenInJSON = FindingRow(
        "no_token_in_json", "this JSON has no token: none of its strings is a JWT", fix: giveJWT)
    let unreadableJSON = FindingRow(
        "no_token_in_json", "this begins like JSON, but {0}", fix: "give the whole answer, or the token alone")
    let severalTokens = FindingRow(
        "several_tokens", "there are several different tokens; expected one", fix: "inspect one token at a time")
    let severalMembers = FindingRow(
        "several_tokens", "there are several different tokens, in {0}; expected one",
        fix: "inspect one token at a time")
    let brokenApart = FindingRow(
        "broken_apart", as: .note, "the token has white space or a line break in it, which inspect ignored",
        fix: "make sure that the app sends the token without it")
}

extension PastedFindings {
    /// The finding about a text that is a known credential other than a JWT, or names one; nil if it is none.
    func credential(_ text: Substring) -> TokenFinding? {
        let rows = [
            ("ya29.", accessToken), ("AIza", googleKey), ("1//", refreshToken), ("tpk_", providerKey),
            ("-----BEGIN ", keyMaterial), ("${", variable), ("$(", variable),
        ]
        if let row = rows.first(where: { text.hasPrefix($0.0) }) { return row.1() }
        if text.contains("?key=AIza") || text.contains("&key=AIza") { return googleKeyInURL() }
        let isVariable = text.first == "$" && text.dropFirst().first.map { $0.isLetter || $0 == "_" } == true
        return isVariable ? variable() : nil
    }

    /// Whether a text may hold a secret, which is never shown.
    static func mayHoldSecret(_ text: String) -> Bool {
        ["ya29.", "AIza", "1//", "tpk_", "eyJ", "PRIVATE KEY"].contains { text.contains($0) }
    }

    /// The finding about an error that token-provider answered with: its code, its detail, and what to do about it.
    func error(_ code: String, _ detail: String, cure: String?) -> TokenFinding {
        let isSecret = Self.mayHoldSecret(code + detail)
        let sentence = isSecret ? "its detail is not shown because it holds a credential" : Self.withoutStop(detail)
        let shown = isSecret ? "(not shown)" : Quoted.text(code)
        let detail = sentence.isEmpty ? "without detail" : Quoted.sentence(sentence)
        guard let cure else { return unknownError(shown, detail) }
        return errorAnswer(shown, detail, cure)
    }

    private static func withoutStop(_ sentence: String) -> String {
        String(sentence.last == "." ? sentence.dropLast() : sentence[...])
    }
}
