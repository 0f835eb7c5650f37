import FleetEngineToken

/// The ids that a request names, in its query or its path, on their way to becoming claims. Only combinations of
/// CONTRACT.md's table can be held.
struct RequestedIDs {
    private var claims: PrivateClaims?
    private var first: QueryParameter?
    private var second: QueryParameter?

    /// Adds what the bytes, percent-encoding undone, name as the parameter; a sentence about them calls them `place`.
    mutating func add(_ parameter: QueryParameter, _ bytes: [UInt8], place: String) throws(TokenProblem) {
        guard parameter != first, parameter != second else { throw .repeatedParameter(parameter.name) }
        let added = try RequestedIDs.claims(parameter, bytes, place)
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

    /// The claims of a token of the kind, or of the only kind or the narrower one that is for these ids.
    func claims(of kind: TokenKind?) throws(TokenProblem) -> PrivateClaims {
        guard let claims, let first else { throw .missingID(kind) }
        guard let kind, kind != claims.kind else { return claims }
        if kind == .trustedDeliveryDriver, case .untrustedDeliveryVehicle(let vehicle) = claims {
            return .trustedDeliveryVehicle(vehicle, task: nil)
        }
        throw .foreignParameter((second ?? first).name, kind)
    }

    private static func claims(
        _ parameter: QueryParameter, _ bytes: [UInt8], _ place: String
    ) throws(TokenProblem) -> PrivateClaims {
        switch parameter {
        case .taskIDs: return .tasks(try batch(bytes, place))
        case .vehicleID: return .vehicle(try id(bytes, place))
        case .deliveryVehicleID: return .untrustedDeliveryVehicle(try id(bytes, place))
        case .trackingID: return .trackingID(try id(bytes, place))
        case .taskID: return .task(try id(bytes, place))
        case .tripID, .expiration, .format: return .trip(try id(bytes, place))
        }
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
