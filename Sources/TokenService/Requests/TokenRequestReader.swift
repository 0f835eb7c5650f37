import CallerAccess
import FleetEngineToken
import HTTPServer
import ServiceConfiguration
import StrictJSON

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

/// The ids and the answer format in a query. An unknown, repeated, empty or contradictory parameter is refused, so that
/// a mistyped name cannot silently change the request.
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
            case .expiration: try TokenQuery.set(&expiration, parameter, PercentEncoding.decode(query, pair.value))
            case .format: try TokenQuery.set(&format, parameter, PercentEncoding.decode(query, pair.value))
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
        guard let bytes = PercentEncoding.decode(query, name) else {
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

/// Collects the ids in a request's path and query, and makes claims of them. It can hold only the combinations in
/// the table in FleetEngineContract.md, "What clients read".
package struct RequestedIDs {
    private var claims: PrivateClaims?
    private var first: IDParameter?
    private var second: IDParameter?

    /// No ids yet.
    package init() {}

    /// Adds the parameter's value, a percent-encoded range of the text; errors call it `place`.
    package mutating func add(
        _ parameter: IDParameter, _ text: Span<UInt8>, _ range: Range<Int>, place: String
    ) throws(TokenProblem) {
        if let id = FleetEngineID(plain: text, range) { return try add(parameter, parameter.claims(id)) }
        // The server refuses a malformed encoding as `malformed_target`, so this refusal is a second line of defence.
        guard let bytes = PercentEncoding.decode(text, range) else { throw .invalidID(place: place, .notUTF8) }
        try add(parameter, bytes, place: place)
    }

    /// Adds the parameter's decoded value.
    package mutating func add(_ parameter: IDParameter, _ bytes: [UInt8], place: String) throws(TokenProblem) {
        if parameter == .taskIDs { return try add(parameter, .tasks(RequestedIDs.batch(bytes, place))) }
        try add(parameter, parameter.claims(RequestedIDs.id(bytes, place)))
    }

    private mutating func add(_ parameter: IDParameter, _ added: consuming PrivateClaims) throws(TokenProblem) {
        guard parameter != first, parameter != second else { throw .repeatedParameter(parameter.name) }
        guard let claims, let first else {
            (self.claims, first) = (added, parameter)
            return
        }
        switch (claims, added) {
        case (.untrustedDeliveryVehicle(let vehicle), .task(let task)),
            (.task(let task), .untrustedDeliveryVehicle(let vehicle)):
            self.claims = .trustedDeliveryVehicle(vehicle, task: task)
            second = parameter
        default: throw .conflictingParameters(first.name, parameter.name)
        }
    }

    /// The claims of a token for these ids, once: of the given kind, or of the kind that the ids imply. Errors call the
    /// kind by the name in the request.
    package mutating func takeClaims(
        of kind: TokenKind?, called name: String? = nil
    ) throws(TokenProblem) -> PrivateClaims {
        guard let first, let claims = claims.take() else {
            guard first == nil, let everything = kind.flatMap(PrivateClaims.init(wildcard:)) else {
                throw .missingID(kind, called: name)
            }
            return everything
        }
        guard let kind, kind != claims.kind else { return claims }
        if kind == .trustedDeliveryDriver, case .untrustedDeliveryVehicle(let vehicle) = claims {
            return .trustedDeliveryVehicle(vehicle, task: nil)
        }
        throw .foreignParameter((second ?? first).name, kind)
    }

    private static func id(_ bytes: [UInt8], _ place: String) throws(TokenProblem) -> FleetEngineID {
        do { return try FleetEngineID(percentDecoded: bytes) } catch { throw .invalidID(place: place, error) }
    }

    /// Ids separated by commas. No id may contain a comma, so an encoded comma separates ids too.
    private static func batch(_ bytes: [UInt8], _ place: String) throws(TokenProblem) -> TaskBatch {
        var ids: [FleetEngineID] = []
        for part in bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            ids.append(try id(Array(part), place))
        }
        do { return try TaskBatch(ids) } catch { throw .invalidBatch(place: place, error) }
    }
}

/// The parts of a token request that outlive its bytes, since the decision may be made later, or again.
package struct TokenCall: Sendable {
    private(set) var credentials: CallerCredentials
    /// The headers for the back end; empty if none is configured.
    private(set) var shown: [BackEndQuestion.Field]
    /// The client's address; nil on a unix socket.
    let client: IPAddress?
    /// The same address if limits count it.
    let countedClient: IPAddress?
    /// Whether its address has too many requests.
    var isExcessive = false
    let identity: RequestIdentity
    /// What the request asks for, or the error in it, which only an authenticated caller may see.
    let wanted: Result<WantedToken, TokenProblem>
    /// The route's name in the access log.
    let route: String
    /// The route and the kind, as metrics count them.
    let category: RequestCategory

    /// What records need once the caller is known: it may be held for longer than its client stays, and is not charged then.
    var identified: TokenCall {
        var call = self
        (call.credentials, call.shown) = (credentials.typeAlone, [])
        return call
    }
}

/// The token that a request asks for, and what mints it.
package struct WantedToken: Sendable {
    let claims: PrivateClaims
    let minter: TokenMinter
    let form: AnswerForm
}

/// A request whose caller may have its token.
package struct GrantedRequest: Sendable {
    let grant: Grant
    let minter: TokenMinter
    let form: AnswerForm
    let call: TokenCall
}
