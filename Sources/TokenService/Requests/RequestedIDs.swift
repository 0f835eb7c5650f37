import ServiceConfiguration
import FleetEngineToken

/// Collects the ids in a request's path and query, and makes claims of them. It can hold only the combinations in
/// CONTRACT.md's table.
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
        guard let bytes = PercentDecoding.bytes(of: text, range) else { throw .invalidID(place: place, .notUTF8) }
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

    /// The claims of a token for these ids, once: of the given kind, or of the kind that the ids imply. Errors call the kind
    /// by the name in the request.
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

    /// Ids separated by commas. No id may contain a comma, so an encoded comma separates ids too.
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
