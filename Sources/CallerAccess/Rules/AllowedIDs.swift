import FleetEngineToken
import StrictJSON

/// Which ids of one name a rule allows.
package enum AllowedIDs: Equatable, Sendable {
    /// Every one.
    case any
    /// These, never none.
    case literals(Set<FleetEngineID>)
    /// The one that a claim of the caller's token is, or those in it if it is an array.
    case claim(ClaimPath)
}

extension JSONValue {
    /// Whether the claim is the id, or an array that every one of the ids is in; byte for byte, and never by a number.
    func grants(_ ids: some Collection<FleetEngineID>) -> Bool {
        switch self {
        case .string(let text): ids.allSatisfy { $0.text.hasSameBytes(as: text) }
        case .array(let elements):
            if ids.count == 1 {
                ids.allSatisfy { elements.contains(.string($0.text)) }
            } else {
                Self.texts(elements).isSuperset(of: ids.map { JSONName($0.text) })
            }
        default: false
        }
    }

    /// The elements that are texts; hashed, since 500 ids could each be compared with thousands.
    static func texts(_ elements: [JSONValue]) -> Set<JSONName> {
        Set(
            elements.compactMap { element in
                guard case .string(let text) = element else { return nil }
                return JSONName(text)
            })
    }
}
