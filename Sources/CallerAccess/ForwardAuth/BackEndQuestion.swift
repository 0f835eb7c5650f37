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

        /// The value as text; nil if it is not UTF-8, or cannot be sent as it is: blanks at its ends would be lost.
        package var text: String? {
            let ends = [value.first, value.last].compactMap(\.self)
            guard ends.allSatisfy({ $0 > 32 }), value.allSatisfy({ $0 == 9 || $0 >= 32 && $0 != 127 }) else {
                return nil
            }
            return String(validating: value, as: UTF8.self)
        }

        /// A header as it came.
        package init(_ name: String, _ value: [UInt8]) {
            (self.name, self.value) = (name, value)
        }
    }

    /// Headers that the daemon itself sends with a question, whatever the caller's request has.
    package static let ownHeaders = [
        "authorization", "accept", "content-type", "x-request-id", "traceparent", "tracestate",
    ]

    /// Those with a question that has no body.
    package static let forwardedHeaders = ["x-forwarded-method", "x-forwarded-uri", userHeader] + reachedHeaders

    /// Those that say how the caller's request got here.
    package static let reachedHeaders = ["x-forwarded-proto", "x-forwarded-host", "x-forwarded-for"]

    /// The one with the name of a caller that was authenticated here.
    package static let userHeader = "x-forwarded-user"

    /// The headers of the caller's request that are sent with it.
    package let fields: [Field]
    /// The question: JSON with the kind, the ids by their names in requests, and the principal if the caller is authenticated.
    package let body: [UInt8]
    /// SHA-256 over all that is sent, each part after its length, so that no two questions have the same bytes.
    package let digest: SHA256Digest
    private let claims: PrivateClaims

    /// A question about a caller, who may be anonymous, and a token.
    package init(about principal: Principal, wanting claims: PrivateClaims, showing fields: [Field]) {
        (self.fields, self.claims) = (fields, claims)
        var json = JSONWriter(reserving: 256)
        json.object { json in
            json.member("kind", claims.kind.rawValue)
            json.key("ids")
            json.object { json in
                for (name, ids) in Self.ids(of: claims) {
                    if name == .taskIDs {
                        json.key(name.rawValue)
                        json.array { json in ids.forEach { json.value($0.text) } }
                    } else {
                        json.member(name.rawValue, ids[0].text)
                    }
                }
            }
            json.principal(principal)
        }
        body = json.bytes
        digest = Self.digest(of: fields, body)
    }

    /// What the caller wants, as a path and a query with the ids by their names in requests: one form for each token.
    package var target: String {
        let query = Self.ids(of: claims).map { name, ids in
            "\(name.rawValue)=\(ids.map { PercentEncoding.encode($0.text.utf8) }.joined(separator: ","))"
        }
        return "/token/\(claims.kind.rawValue)" + (query.isEmpty ? "" : "?\(query.joined(separator: "&"))")
    }

    /// The ids by their names in requests; only of `taskIDs` there may be several.
    private static func ids(of claims: PrivateClaims) -> [(name: IDName, ids: [FleetEngineID])] {
        switch claims {
        case .trip(let id): [(.tripID, [id])]
        case .vehicle(let id): [(.vehicleID, [id])]
        case .untrustedDeliveryVehicle(let id): [(.deliveryVehicleID, [id])]
        case .trustedDeliveryVehicle(let id, let task):
            [(.deliveryVehicleID, [id])] + (task.map { [(.taskID, [$0])] } ?? [])
        case .trackingID(let id): [(.trackingID, [id])]
        case .task(let id): [(.taskID, [id])]
        case .tasks(let batch): [(.taskIDs, batch.ids)]
        case .everyTask, .server, .deliveryServer, .deliveryFleetReader, .fleetReader: []
        }
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
    /// Nothing for an unauthenticated caller.
    fileprivate mutating func principal(_ principal: Principal) {
        let source: (word: String, issuer: String?)
        switch principal.source {
        case .jwt: source = ("jwt", principal.source.issuer)
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
}
