import Concurrency
import StrictJSON

/// The last few headers of verified tokens, with what they say: those of an issuer's next tokens are the same, and parsing
/// one takes a third as long as parsing the rest of a token.
final class KnownHeaders: Sendable {
    private struct Header: Sendable {
        let encoded: ArraySlice<UInt8>
        let members: JSONObject
    }

    /// Enough for some issuers and algorithms and for their next keys, and few enough to be searched one by one.
    private static let most = 16
    /// The most bytes of a header that is cached.
    private static let longest = 512

    private let headers = Guarded<[Header]>([])

    /// What the header says, if it is known.
    func members(of encoded: ArraySlice<UInt8>) -> JSONObject? {
        headers.withLock { headers in headers.first { $0.encoded.hasSameBytes(as: encoded) }?.members }
    }

    /// Caches the header of a verified token. Those of other tokens are not cached, since forgeries would replace the others.
    func remember(_ encoded: ArraySlice<UInt8>, _ members: JSONObject) {
        guard encoded.count <= Self.longest else { return }
        headers.withLock { headers in
            guard !headers.contains(where: { $0.encoded.hasSameBytes(as: encoded) }) else { return }
            if headers.count == Self.most { headers.removeFirst() }
            // A copy, since a slice would keep the whole token.
            headers.append(Header(encoded: Array(encoded)[...], members: members))
        }
    }
}
