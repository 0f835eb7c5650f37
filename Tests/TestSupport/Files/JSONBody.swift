import Foundation
import Testing

/// A body read by a JSON parser that is not ours.
package func object(_ body: some Sequence<UInt8>) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
}
