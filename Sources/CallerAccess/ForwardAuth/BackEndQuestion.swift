import FleetEngineToken
import OpenSSLCrypto
import StrictJSON

/// What a back end is asked: may this caller have this token. It decides by what it is sent, so decisions are cached by
/// that.
package struct BackEndQuestion: Sendable {
    /// A header of the caller's request that is passed on.
    package struct Field: Sendable {
        /// The name in lower case.
        package let name: String
        /// The value as it came.
        package let value: [UInt8]

        /// The value as text; nil if it is not UTF-8.
        package var text: String? { String(validating: value, as: UTF8.self) }

        /// A header as it came.
        package init(_ name: String, _ value: [UInt8]) {
            (self.name, self.value) = (name, value)
        }
    }

    /// Headers that the daemon itself sends with a question, whatever the caller's request has.
    package static let ownHeaders = [
        "authorization", "accept", "content-type", "x-request-id", "traceparent", "tracestate",
    ]

    /// The headers of the caller's request that are sent with it.
    package let fields: [Field]
    /// The question: JSON with the kind, the ids by their names in requests, and the principal if the caller is authenticated.
    package let body: [UInt8]
    /// SHA-256 over all that is sent, each part after its length, so that no two questions have the same bytes.
    package let digest: SHA256Digest

    /// A question about a caller, who may be anonymous, and a token.
    package init(about principal: Principal, wanting claims: PrivateClaims, showing fields: [Field]) {
        self.fields = fields
        var json = JSONWriter(reserving: 256)
        json.object { json in
            json.member("kind", claims.kind.rawValue)
            json.key("ids")
            json.object { $0.ids(of: claims) }
            json.principal(principal)
        }
        body = json.bytes
        digest = Self.digest(of: fields, body)
    }

    private static func digest(of fields: [Field], _ body: [UInt8]) -> SHA256Digest {
        var bytes: [UInt8] = []
        for field in fields {
            append(Array(field.name.utf8), to: &bytes)
            append(field.value, to: &bytes)
        }
        // Two parts for each header and one for the body, which is the last.
        append(body, to: &bytes)
        return SHA256Digest(of: bytes)
    }

    private static func append(_ part: [UInt8], to bytes: inout [UInt8]) {
        withUnsafeBytes(of: UInt64(part.count).bigEndian) { bytes += $0 }
        bytes += part
    }
}

extension JSONWriter {
    fileprivate mutating func ids(of claims: PrivateClaims) {
        switch claims {
        case .trip(let id): member(.tripID, id)
        case .vehicle(let id): member(.vehicleID, id)
        case .untrustedDeliveryVehicle(let id): member(.deliveryVehicleID, id)
        case .trustedDeliveryVehicle(let id, let task):
            member(.deliveryVehicleID, id)
            if let task { member(.taskID, task) }
        case .trackingID(let id): member(.trackingID, id)
        case .task(let id): member(.taskID, id)
        case .tasks(let batch):
            key(IDName.taskIDs.rawValue)
            array { json in
                for id in batch.ids { json.value(id.text) }
            }
        case .everyTask, .server, .deliveryServer, .deliveryFleetReader, .fleetReader: break
        }
    }

    /// Nothing for an unauthenticated caller.
    fileprivate mutating func principal(_ principal: Principal) {
        let source: (word: String, issuer: String?)
        switch principal.source {
        case .jwt(let issuer): source = ("jwt", issuer)
        case .apiKey: source = ("api_key", nil)
        case .certificate: source = ("certificate", nil)
        case .forwardAuth, .anonymous: return
        }
        key("principal")
        object { json in
            json.member("source", source.word)
            if let issuer = source.issuer { json.member("issuer", issuer) }
            json.member("name", principal.name)
        }
    }

    private mutating func member(_ name: IDName, _ id: FleetEngineID) { member(name.rawValue, id.text) }
}
