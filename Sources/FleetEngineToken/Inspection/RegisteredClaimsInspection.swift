import StrictJSON

/// Who signed a token and for whom: `iss`, `sub` and `aud` (CONTRACT.md section 1).
enum RegisteredClaimsInspection {
    static func findings(_ claims: JSONObject) -> [TokenFinding] {
        [foreign(claims), issuer(claims["iss"]), hazard(claims["iss"]), subject(claims), audience(claims["aud"])]
            .compactMap { $0 }
    }

    /// A token that is meant for somebody else by its issuer or audience.
    private static func foreign(_ claims: JSONObject) -> TokenFinding? {
        if case .string(let issuer) = claims["iss"] {
            if ["https://accounts.google.com", "accounts.google.com"].contains(issuer) { return .idToken }
            let firebase = ["https://securetoken.google.com/", "https://session.firebase.google.com/"]
            if firebase.contains(where: issuer.hasPrefix) { return .firebaseToken }
        }
        guard case .string(let audience) = claims["aud"] else { return nil }
        if audience.hasPrefix("https://identitytoolkit.googleapis.com/") { return .firebaseToken }
        return tokenEndpoints.contains(audience) ? .accessTokenRequest : nil
    }

    private static let tokenEndpoints: Set<String> = [
        "https://oauth2.googleapis.com/token", "https://www.googleapis.com/oauth2/v4/token",
        "https://accounts.google.com/o/oauth2/token",
    ]

    private static func issuer(_ value: JSONValue?) -> TokenFinding? {
        guard let value else { return .issuerMissing }
        guard case .string(let text) = value, isServiceAccount(text) else { return .issuerNotServiceAccount(value) }
        return nil
    }

    private static func isServiceAccount(_ address: String) -> Bool {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[1].hasSuffix(".gserviceaccount.com")
            && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func hazard(_ issuer: JSONValue?) -> TokenFinding? {
        guard case .string(let address) = issuer else { return nil }
        return DefaultServiceAccount(email: address).map(TokenFinding.defaultAccount)
    }

    private static func subject(_ claims: JSONObject) -> TokenFinding? {
        guard let subject = claims["sub"] else { return .subjectMissing }
        guard let issuer = claims["iss"], subject != issuer else { return nil }
        return .subjectUnlikeIssuer(subject)
    }

    private static func audience(_ value: JSONValue?) -> TokenFinding? {
        guard let value else { return .audienceMissing }
        if case .array = value { return .audienceArray }
        guard case .string(let text) = value else { return .audienceWrong(value) }
        let expected = TokenPolicy.fleetEngineAudience
        switch text {
        case expected: return nil
        case String(expected.dropLast()): return .audienceWithoutSlash
        case _ where [expected, String(expected.dropLast())].contains(text.lowercased()):
            return .audienceInOtherCase(text)
        case _ where text.lowercased().hasPrefix("http://fleetengine.googleapis.com"): return .audienceNotHTTPS(text)
        case _ where host(of: text).hasSuffix(".googleapis.com") && host(of: text) != "fleetengine.googleapis.com":
            return .audienceOtherService(text)
        default: return .audienceWrong(value)
        }
    }

    /// What stands between `https://` and the next slash.
    private static func host(of url: String) -> Substring {
        guard url.hasPrefix("https://") else { return "" }
        return url.dropFirst("https://".count).prefix { $0 != "/" }
    }
}
