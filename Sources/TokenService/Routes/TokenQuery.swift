import CallerAccess
import FleetEngineToken
import ServiceConfiguration

/// What a query asks for: ids, and how they are answered. Nothing is guessed: what is unknown, repeated, empty or
/// contradictory is refused, since a mistyped name must not silently change what is meant.
struct TokenQuery {
    var ids = RequestedIDs()
    /// Nil if the query leaves it to the configuration.
    private(set) var expiration: Configuration.Answer.Expiration?
    /// Nil if the query leaves it to the route.
    private(set) var format: AnswerFormat?

    /// Adds what the `name=value` pairs between `&` ask for.
    mutating func read(_ query: Span<UInt8>, ignoring ignored: Set<[UInt8]>) throws(TokenProblem) {
        guard !query.isEmpty else { return }
        var start = 0
        while start <= query.count {
            let pair = QueryPair(query, from: start)
            start = pair.end + 1
            guard let parameter = try pair.parameter(in: query, ignoring: ignored) else { continue }
            switch parameter {
            case .expiration: try TokenQuery.set(&expiration, parameter, pair.value(of: parameter, in: query))
            case .format: try TokenQuery.set(&format, parameter, pair.value(of: parameter, in: query))
            case .id(let id): try ids.add(id, query, pair.value, place: id.name)
            }
        }
    }

    /// Takes a value that is one of the words of its type.
    private static func set<Value: RawRepresentable<String>>(
        _ slot: inout Value?, _ parameter: QueryParameter, _ value: [UInt8]
    ) throws(TokenProblem) {
        guard slot == nil else { throw .repeatedParameter(parameter.name) }
        guard let word = Value(rawValue: String(decoding: value, as: UTF8.self)) else { throw .unknownWord(parameter) }
        slot = word
    }
}

/// One `name=value` of a query, by its places.
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

    /// What the name means; nil if it is one of those to ignore.
    func parameter(
        in query: Span<UInt8>, ignoring ignored: Set<[UInt8]>
    ) throws(TokenProblem) -> QueryParameter? {
        guard !name.isEmpty else { throw .emptyParameter }
        if let parameter = QueryParameter(query, name) { return parameter }
        guard let bytes = PercentDecoding.bytes(of: query, name) else { throw .malformedEncoding("a parameter's name") }
        if let parameter = QueryParameter(bytes.span, 0..<bytes.count) { return parameter }
        // By bytes, which hash in linear time and are never taken for other spellings.
        guard ignored.contains(bytes) else { throw .unknownParameter(QueryPair.shown(bytes)) }
        return nil
    }

    /// A stranger's name, cut for a sentence; no key that somebody put in its place.
    private static func shown(_ name: [UInt8]) -> String {
        APIKey.beginning(in: name) != nil
            ? "tpk_\u{2026}"
            : String(String.UnicodeScalarView(String(decoding: name, as: UTF8.self).unicodeScalars.prefix(64)))
    }

    func value(of parameter: QueryParameter, in query: Span<UInt8>) throws(TokenProblem) -> [UInt8] {
        guard let bytes = PercentDecoding.bytes(of: query, value) else { throw .malformedEncoding(parameter.name) }
        return bytes
    }
}

extension Span<UInt8> {
    /// The first position from `start` on whose byte ends something; `count` if there is none.
    @inline(__always)
    fileprivate func end(from start: Int, where ends: (UInt8) -> Bool) -> Int {
        withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count, !ends(bytes[index]) { index &+= 1 }
            return index
        }
    }
}
