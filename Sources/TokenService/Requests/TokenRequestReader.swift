import CallerAccess
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

/// The ids and the answer format in a query. An unknown, repeated, empty or contradictory parameter is refused, so that a
/// mistyped name cannot silently change the request.
struct TokenQuery {
    var ids = RequestedIDs()
    /// Nil for the configured one.
    private(set) var expiration: Configuration.Answer.Expiration?
    /// Nil for the route's default.
    private(set) var format: AnswerFormat?

    /// Adds the `name=value` pairs between `&`. If the path names a kind, an id of another kind is refused.
    mutating func read(
        _ query: Span<UInt8>, for kind: TokenKind? = nil, ignoring ignored: Set<[UInt8]>
    ) throws(TokenProblem) {
        guard !query.isEmpty else { return }
        var start = 0
        while start <= query.count {
            let pair = QueryPair(query, from: start)
            start = pair.end + 1
            guard let parameter = try pair.parameter(in: query, ignoring: ignored) else { continue }
            switch parameter {
            case .expiration: try TokenQuery.set(&expiration, parameter, PercentDecoding.bytes(of: query, pair.value))
            case .format: try TokenQuery.set(&format, parameter, PercentDecoding.bytes(of: query, pair.value))
            case .id(let id):
                if let kind, !kind.takes(id) { throw .foreignParameter(id.name, kind) }
                try ids.add(id, query, pair.value, place: id.name)
            }
        }
    }

    /// Sets a value that must be one of the words of its type.
    private static func set<Value: RawRepresentable<String>>(
        _ slot: inout Value?, _ parameter: QueryParameter, _ value: [UInt8]?
    ) throws(TokenProblem) {
        guard slot == nil else { throw .repeatedParameter(parameter.name) }
        let word = value.flatMap { Value(rawValue: String(decoding: $0, as: UTF8.self)) }
        guard let word else { throw .unknownWord(parameter) }
        slot = word
    }
}

/// The ranges of one `name=value` in a query.
private struct QueryPair {
    let name: Range<Int>
    let value: Range<Int>
    var end: Int { value.upperBound }

    init(_ query: Span<UInt8>, from start: Int) {
        let nameEnd = query.end(from: start) { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "&") }
        let valueStart = nameEnd < query.count && query[nameEnd] == UInt8(ascii: "=") ? nameEnd + 1 : nameEnd
        name = start..<nameEnd
        value = valueStart..<query.end(from: valueStart) { $0 == UInt8(ascii: "&") }
    }

    /// The parameter of this name; nil if it is ignored.
    func parameter(
        in query: Span<UInt8>, ignoring ignored: Set<[UInt8]>
    ) throws(TokenProblem) -> QueryParameter? {
        guard !name.isEmpty else { throw .emptyParameter }
        if let parameter = QueryParameter(query, name) { return parameter }
        guard let bytes = PercentDecoding.bytes(of: query, name) else {
            throw .unknownParameter(QueryPair.shown(name.map { query[$0] }))
        }
        if let parameter = QueryParameter(bytes.span, 0..<bytes.count) { return parameter }
        // Compared by bytes, which hash in linear time and have one spelling.
        guard ignored.contains(bytes) else { throw .unknownParameter(QueryPair.shown(bytes)) }
        return nil
    }

    /// The unauthenticated client's name, cut for a sentence, without an API key pasted in its place.
    private static func shown(_ name: [UInt8]) -> String {
        APIKey.beginning(in: name) != nil
            ? "tpk_\u{2026}"
            : String(String.UnicodeScalarView(String(decoding: name, as: UTF8.self).unicodeScalars.prefix(64)))
    }
}

extension Span<UInt8> {
    /// The first position from `start` whose byte matches; `count` if none does.
    @inline(__always)
    fileprivate func end(from start: Int, where ends: (UInt8) -> Bool) -> Int {
        withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count, !ends(bytes[index]) { index &+= 1 }
            return index
        }
    }
}
