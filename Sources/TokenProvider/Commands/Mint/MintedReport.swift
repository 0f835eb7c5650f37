import FleetEngineToken
import StrictJSON
import TokenInspection

/// A token that was minted for an operator, and its content.
struct MintedReport {
    let kind: TokenKind
    let token: MintedToken
    let profile: SigningProfile
    let inspection: InspectedToken

    /// Mints a token with these claims; `now` is in seconds since the epoch.
    init(_ claims: PrivateClaims, by minter: TokenMinter, at now: Int64) throws(SigningError) {
        kind = claims.kind
        token = try minter.mint(claims, at: now)
        profile = minter.profile
        inspection = InspectedToken(of: token.jwt, at: now)
    }

    /// Risks of the token, and reasons why Fleet Engine would refuse it.
    var warnings: [String] {
        inspection.findings.filter { $0.severity != .note }.map { finding in
            let subject = finding.severity == .refused ? "Fleet Engine would refuse this token: " : ""
            return "\(subject)\(finding.problem); \(finding.fix)"
        }
    }

    /// The lines to print, without the last line feed.
    func text(_ form: MintForm?, isColoured: Bool) -> String {
        let jwt = String(decoding: token.jwt, as: UTF8.self)
        return switch form {
        case nil: jwt
        case .header: "Authorization: Bearer \(jwt)"
        case .show: InspectionText(isColoured: isColoured).text(inspection)
        case .json: json
        }
    }

    /// One object; Commands.md lists its members. It is escaped for a terminal.
    private var json: String {
        JSONText.object { json in
            json.member("token", jwt: token.jwt[...])
            json.member("kind", kind.rawValue)
            json.member("account", profile.account)
            json.member("kid", profile.keyID)
            json.member("issuedAt", token.issuedAt)
            json.member("expiresAt", token.expiresAt)
            json.member("header", inspection.header.map(JSONValue.object) ?? .null)
            json.member("claims", inspection.claims.map(JSONValue.object) ?? .null)
        }
    }
}
