import StrictJSON
import FleetEngineToken

/// What can be wrong with `iss`, `sub` and `aud` (FleetEngineContract.md, "The token").
struct RegisteredClaimFindings {
    private static let mintAnother = "give Fleet Engine a JWT that a service account signed for it, with authorization"
    private static let setIssuer = "set iss and sub to the client_email of the key file"
    private static let setAudience = "set aud to the one string \"\(TokenPolicy.fleetEngineAudience)\""

    let idToken = FindingRow(
        "id_token", at: "iss", "this is a Google ID token: it says who a user is, not what the user may see",
        fix: mintAnother)
    let firebaseToken = FindingRow(
        "firebase_token", "this is a Firebase Authentication token: it identifies an app's user to your back end",
        fix: "let the back end verify it and return a Fleet Engine token")
    let accessTokenRequest = FindingRow(
        "access_token_request", at: "aud",
        "this is an assertion: a service account sends it to Google's token endpoint to get an access token",
        fix: mintAnother)
    let issuerMissing = FindingRow(
        "iss_missing", at: "iss", "iss is missing: it is unknown whose key verifies the token", fix: setIssuer)
    let issuerNotServiceAccount = FindingRow(
        "iss_not_service_account", at: "iss",
        "iss is {0}; expected the e-mail address of a service account (NAME@….gserviceaccount.com)", fix: setIssuer)
    let defaultAccount = FindingRow(
        "default_account", as: .warning, at: "iss",
        "iss is {0}, which usually has the Editor role: for it Fleet Engine ignores the claims that restrict a token",
        fix: "sign with a separate account that has one Fleet Engine role")
    let subjectMissing = FindingRow(
        "sub_missing", at: "sub", "sub is missing; expected the same value as in iss", fix: setIssuer)
    let subjectUnlikeIssuer = FindingRow(
        "sub_unlike_iss", at: "sub", "sub is {0}; expected the same value as in iss", fix: setIssuer)
    let audienceMissing = FindingRow(
        "aud_missing", at: "aud", "aud is missing: the token is for no service", fix: setAudience)
    let audienceArray = FindingRow("aud_array", at: "aud", "aud is an array; expected one string", fix: setAudience)
    let audienceWithoutSlash = FindingRow(
        "aud_without_slash", at: "aud", "aud has no slash at its end", fix: setAudience)
    let audienceInOtherCase = FindingRow(
        "aud_case", at: "aud", "aud is {0}; expected lower case only", fix: setAudience)
    let audienceNotHTTPS = FindingRow(
        "aud_not_https", at: "aud", "aud is {0}; expected https instead of http", fix: setAudience)
    let audienceOtherService = FindingRow(
        "aud_other_service", at: "aud", "aud is {0}, another Google service; expected Fleet Engine", fix: setAudience)
    let audienceWrong = FindingRow("aud_wrong", at: "aud", "aud is {0}; expected Fleet Engine", fix: setAudience)
}

/// Checks who signed a token and for which service: `iss`, `sub` and `aud`.
enum RegisteredClaimsInspection {
    private static let table = RegisteredClaimFindings()

    static func findings(_ claims: JSONObject) -> [TokenFinding] {
        [foreign(claims), issuer(claims["iss"]), hazard(claims["iss"]), subject(claims), audience(claims["aud"])]
            .compactMap { $0 }
    }

    /// A token for another service, by its issuer or audience.
    private static func foreign(_ claims: JSONObject) -> TokenFinding? {
        if case .string(let issuer) = claims["iss"] {
            if ["https://accounts.google.com", "accounts.google.com"].contains(issuer) { return table.idToken() }
            let firebase = ["https://securetoken.google.com/", "https://session.firebase.google.com/"]
            if firebase.contains(where: issuer.hasPrefix) { return table.firebaseToken() }
        }
        guard case .string(let audience) = claims["aud"] else { return nil }
        if audience.hasPrefix("https://identitytoolkit.googleapis.com/") { return table.firebaseToken() }
        return tokenEndpoints.contains(audience) ? table.accessTokenRequest() : nil
    }

    private static let tokenEndpoints: Set<String> = [
        "https://oauth2.googleapis.com/token", "https://www.googleapis.com/oauth2/v4/token",
        "https://accounts.google.com/o/oauth2/token",
    ]

    private static func issuer(_ value: JSONValue?) -> TokenFinding? {
        guard let value else { return table.issuerMissing() }
        guard case .string(let text) = value, isServiceAccount(text) else {
            return table.issuerNotServiceAccount(Quoted.value(value))
        }
        return nil
    }

    private static func isServiceAccount(_ address: String) -> Bool {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[1].hasSuffix(".gserviceaccount.com")
            && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func hazard(_ issuer: JSONValue?) -> TokenFinding? {
        guard case .string(let address) = issuer else { return nil }
        return DefaultServiceAccount(email: address).map { table.defaultAccount($0.name) }
    }

    private static func subject(_ claims: JSONObject) -> TokenFinding? {
        guard let subject = claims["sub"] else { return table.subjectMissing() }
        guard let issuer = claims["iss"], subject != issuer else { return nil }
        return table.subjectUnlikeIssuer(Quoted.value(subject))
    }

    private static func audience(_ value: JSONValue?) -> TokenFinding? {
        guard let value else { return table.audienceMissing() }
        if case .array = value { return table.audienceArray() }
        guard case .string(let text) = value else { return table.audienceWrong(Quoted.value(value)) }
        let expected = TokenPolicy.fleetEngineAudience
        switch text {
        case expected: return nil
        case String(expected.dropLast()): return table.audienceWithoutSlash()
        case _ where [expected, String(expected.dropLast())].contains(text.lowercased()):
            return table.audienceInOtherCase(Quoted.text(text))
        case _ where text.lowercased().hasPrefix("http://fleetengine.googleapis.com"):
            return table.audienceNotHTTPS(Quoted.text(text))
        case _ where host(of: text).hasSuffix(".googleapis.com") && host(of: text) != "fleetengine.googleapis.com":
            return table.audienceOtherService(Quoted.text(text))
        default: return table.audienceWrong(Quoted.value(value))
        }
    }

    /// The text between `https://` and the next slash.
    private static func host(of url: String) -> Substring {
        guard url.hasPrefix("https://") else { return "" }
        return url.dropFirst("https://".count).prefix { $0 != "/" }
    }
}
