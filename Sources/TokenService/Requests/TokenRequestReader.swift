import FleetEngineToken
import HTTPServer
import ServiceConfiguration

/// Reads the path and the query of a token request.
package struct TokenRequestReader: Sendable {
    let kinds: ServedKinds
    /// Names of query parameters to ignore, in UTF-8.
    let ignoredParameters: Set<[UInt8]>
    /// The form of the expiration in the `sdk` format, unless the request names one.
    let expiration: Configuration.Answer.Expiration

    /// The token that the request asks for; its path was read before.
    func wanted(_ request: borrowing HTTPRequest, _ path: TokenPath) throws(TokenProblem) -> WantedToken {
        var query = TokenQuery()
        if let id = path.id, let kind = path.kind {
            guard let parameter = kind.pathParameter else { throw try nothingBelow(kind) }
            try request.withPath { path throws(TokenProblem) in
                try query.ids.add(parameter, path, id, place: "the path's id")
            }
        }
        _ = try request.withQuery { text throws(TokenProblem) in
            try query.read(text, for: path.kind, ignoring: ignoredParameters)
        }
        let claims = try query.ids.takeClaims(of: path.kind, called: path.name)
        return WantedToken(
            claims: claims, minter: try kinds.minter(of: claims.kind), form: try form(query, path))
    }

    /// An id after a kind without ids is an unknown path, unless the kind is off.
    private func nothingBelow(_ kind: TokenKind) throws(TokenProblem) -> TokenProblem {
        _ = try kinds.minter(of: kind)
        return .unknownPath
    }

    private func form(_ query: TokenQuery, _ path: TokenPath) throws(TokenProblem) -> AnswerForm {
        let natural = path.kind.map { AnswerFormat(pathOf: $0) } ?? .sdk
        let format = query.format ?? path.format ?? natural
        guard format == .sdk || query.expiration == nil else { throw .foreignExpiration(format) }
        return AnswerForm(format, query.expiration ?? expiration)
    }
}

/// The minter of each kind that is served, and why the others are not.
struct ServedKinds: Sendable {
    private let minters: PerKind<TokenMinter?>
    /// The settings that each other kind lacks.
    private let absences: PerKind<KindAbsence>

    init(absence: (TokenKind) -> KindAbsence = { _ in .key }, _ minter: (TokenKind) throws -> TokenMinter?) rethrows {
        minters = try PerKind(minter)
        absences = PerKind(absence)
    }

    /// Throws the settings that would turn the kind on.
    func minter(of kind: TokenKind) throws(TokenProblem) -> TokenMinter {
        if let minter = minters[kind] { return minter }
        throw .kindOff(kind, absences[kind])
    }
}
