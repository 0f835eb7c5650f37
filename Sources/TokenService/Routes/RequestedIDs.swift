import ServiceConfiguration
import FleetEngineToken

/// The ids that a request names, in its query or its path, on their way to becoming claims. Only combinations of
/// CONTRACT.md's table can be held.
package struct RequestedIDs {
    private var claims: PrivateClaims?
    private var first: IDParameter?
    private var second: IDParameter?

    /// Names nothing yet.
    package init() {}

    /// Adds what a range of the text, percent-encoded, names as the parameter; a sentence about it calls it `place`.
    package mutating func add(
        _ parameter: IDParameter, _ text: Span<UInt8>, _ range: Range<Int>, place: String
    ) throws(TokenProblem) {
        if let id = FleetEngineID(plain: text, range) { return try add(parameter, parameter.claims(id)) }
        guard let bytes = PercentDecoding.bytes(of: text, range) else { throw .malformedEncoding(place) }
        try add(parameter, bytes, place: place)
    }

    /// Adds what bytes that are not encoded name as the parameter.
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

    /// Takes, once, the claims of a token of the kind, or of the only kind or the narrower one that is for these ids; a
    /// sentence calls the kind as the request did.
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
        do throws(FleetEngineIDError) {
            return try FleetEngineID(percentDecoded: bytes)
        } catch {
            throw .invalidID(place: place, error)
        }
    }

    /// Ids between commas, which no id may hold, so that it does not matter whether they were encoded.
    private static func batch(_ bytes: [UInt8], _ place: String) throws(TokenProblem) -> TaskBatch {
        var ids: [FleetEngineID] = []
        for part in bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            ids.append(try id(Array(part), place))
        }
        do throws(TaskBatchError) {
            return try TaskBatch(ids)
        } catch {
            throw .invalidBatch(place: place, error)
        }
    }

}
