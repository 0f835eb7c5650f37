import FleetEngineToken
import HTTPServer
import ServiceConfiguration

/// Reads what a request to a token route asks for, in its path and its query.
package struct TokenRequestReader: Sendable {
    /// The minters of the kinds that are served.
    let kinds: ServedKinds
    /// Names of query parameters to ignore, as bytes of UTF-8.
    let ignoredParameters: Set<[UInt8]>
    /// How an expiry is told in the SDK's shape when the request does not say it.
    let expiration: Configuration.Answer.Expiration

    /// What is asked for, by a path that was read.
    func wanted(_ request: borrowing HTTPRequest, _ path: TokenPath) throws(TokenProblem) -> WantedToken {
        var query = TokenQuery()
        if let id = path.id, let kind = path.kind {
            guard let parameter = kind.pathParameter else { throw try nothingBelow(kind) }
            try request.withPath { path throws(TokenProblem) in
                try query.ids.add(parameter, path, id, place: "the path's id")
            }
        }
        _ = try request.withQuery { text throws(TokenProblem) in try query.read(text, ignoring: ignoredParameters) }
        let claims = try query.ids.takeClaims(of: path.kind, called: path.name)
        return WantedToken(
            claims: claims, minter: try kinds.minter(of: claims.kind), form: try form(query, path))
    }

    /// A kind that names no id has no path below its own; one that is off has none at all.
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
