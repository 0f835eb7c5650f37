import FleetEngineToken

/// What a query asks for: one token, and how its expiry is told. Valid once it exists.
struct TokenQuery {
    let claims: PrivateClaims
    /// Nil if the query leaves it to the configuration.
    let expiration: Configuration.Answer.Expiration?

    /// Reads `name=value` pairs between `&`. Nothing is guessed: what is unknown, repeated, empty or contradictory is
    /// refused, since a mistyped name must not silently change what is meant.
    init(_ query: Span<UInt8>, ignoring ignored: Set<[UInt8]>) throws(TokenProblem) {
        var trip: FleetEngineID?
        var vehicle: FleetEngineID?
        var expiration: Configuration.Answer.Expiration?
        var start = 0
        while start <= query.count {
            let pair = QueryPair(query, from: start)
            start = pair.end + 1
            guard let parameter = try pair.parameter(in: query, ignoring: ignored) else { continue }
            switch parameter {
            case .tripID: try TokenQuery.set(&trip, parameter, try pair.id(in: query, parameter))
            case .vehicleID: try TokenQuery.set(&vehicle, parameter, try pair.id(in: query, parameter))
            case .expiration: try TokenQuery.set(&expiration, parameter, try pair.expiration(in: query))
            }
        }
        claims = try TokenQuery.claims(trip: trip, vehicle: vehicle)
        self.expiration = expiration
    }

    private static func set<Value>(
        _ slot: inout Value?, _ parameter: QueryParameter, _ value: Value
    ) throws(TokenProblem) {
        guard slot == nil else { throw .repeatedParameter(parameter.name) }
        slot = value
    }

    private static func claims(trip: FleetEngineID?, vehicle: FleetEngineID?) throws(TokenProblem) -> PrivateClaims {
        switch (trip, vehicle) {
        case (let trip?, nil): return .trip(trip)
        case (nil, let vehicle?): return .vehicle(vehicle)
        case (nil, nil): throw .missingID
        case (.some, .some):
            throw .conflictingParameters(QueryParameter.tripID.name, QueryParameter.vehicleID.name)
        }
    }
}

/// One `name=value` of a query, by its places.
private struct QueryPair {
    let name: Range<Int>
    let value: Range<Int>
    var end: Int { value.upperBound }

    init(_ query: Span<UInt8>, from start: Int) {
        var nameEnd: Int?
        var end = start
        while end < query.count, query[end] != UInt8(ascii: "&") {
            if nameEnd == nil, query[end] == UInt8(ascii: "=") { nameEnd = end }
            end += 1
        }
        name = start..<(nameEnd ?? end)
        value = min((nameEnd ?? end) + 1, end)..<end
    }

    /// What the name means; nil if it is one of those to ignore.
    func parameter(
        in query: Span<UInt8>, ignoring ignored: Set<[UInt8]>
    ) throws(TokenProblem) -> QueryParameter? {
        guard !name.isEmpty else { throw query.isEmpty ? .missingID : .emptyParameter }
        if let parameter = QueryParameter(query, name) { return parameter }
        guard let bytes = PercentDecoding.bytes(of: query, name) else { throw .malformedEncoding("a parameter's name") }
        if let parameter = QueryParameter(bytes.span, 0..<bytes.count) { return parameter }
        // By bytes, which hash in linear time and are never taken for other spellings.
        guard ignored.contains(bytes) else { throw .unknownParameter(QueryPair.shown(bytes)) }
        return nil
    }

    /// A stranger's name, cut for a sentence.
    private static func shown(_ name: [UInt8]) -> String {
        String(String.UnicodeScalarView(String(decoding: name, as: UTF8.self).unicodeScalars.prefix(64)))
    }

    func id(in query: Span<UInt8>, _ parameter: QueryParameter) throws(TokenProblem) -> FleetEngineID {
        guard let bytes = PercentDecoding.bytes(of: query, value) else { throw .malformedEncoding(parameter.name) }
        do throws(FleetEngineIDError) {
            return try FleetEngineID(percentDecoded: bytes)
        } catch {
            throw .invalidID(parameter: parameter.name, error)
        }
    }

    func expiration(in query: Span<UInt8>) throws(TokenProblem) -> Configuration.Answer.Expiration {
        guard let bytes = PercentDecoding.bytes(of: query, value),
            let expiration = Configuration.Answer.Expiration(rawValue: String(decoding: bytes, as: UTF8.self))
        else { throw .invalidExpiration }
        return expiration
    }
}
