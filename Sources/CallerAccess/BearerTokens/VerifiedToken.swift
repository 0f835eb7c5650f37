internal import FleetEngineToken

/// A token that was found right, as it is remembered: without the token itself.
final class VerifiedToken: RememberedEntry {
    let principal: Principal
    let times: BearerTokenTimes
    let issuer: TrustedIssuer
    /// The set whose key verified it.
    let keys: IssuerKeys
    /// Bytes that remembering it costs, reckoned rather too high.
    let bytes: Int

    /// Bytes besides the claims: two places in a dictionary that is half full, and what the allocator rounds up.
    private static let overhead = 512

    init(_ principal: Principal, times: BearerTokenTimes, issuer: TrustedIssuer, keys: IssuerKeys) {
        (self.principal, self.times, self.issuer, self.keys) = (principal, times, issuer, keys)
        bytes = Self.overhead + JSONValue.object(principal.claims ?? [:]).heapBytes
    }

    /// Whether it may be taken for right unverified: never beyond its end, leeway or not, nor by keys that are gone.
    func counts(at now: Int64) -> Bool {
        now < times.expiresAt && !keys.isRetired
    }
}

extension JSONValue {
    /// Bytes on the heap, with what arrays and dictionaries keep in reserve when they have grown one by one.
    fileprivate var heapBytes: Int {
        switch self {
        case .null, .bool, .integer: return 0
        case .number(let text), .string(let text): return Self.heapBytes(text)
        case .array(let elements):
            let places = 64 + 2 * MemoryLayout<JSONValue>.stride * max(elements.count, 2)
            return elements.reduce(places) { $0 + $1.heapBytes }
        case .object(let members):
            let place = MemoryLayout<JSONName>.stride + MemoryLayout<JSONValue>.stride
            return members.reduce(128 + 3 * place * max(members.count, 3)) {
                $0 + Self.heapBytes($1.name.text) + $1.value.heapBytes
            }
        }
    }

    /// Up to 15 bytes stand in the string itself.
    private static func heapBytes(_ text: String) -> Int {
        text.utf8.count <= 15 ? 0 : 48 + text.utf8.count
    }
}
