import Locking
import StrictJSON

/// The last few headers of tokens that were found right, with what they say: those of an issuer's next tokens are the
/// same, and reading one takes as long as a third of all else that is read of a token.
final class KnownHeaders: Sendable {
    private struct Header: Sendable {
        let encoded: ArraySlice<UInt8>
        let members: JSONObject
    }

    /// Enough for some issuers and algorithms and for their next keys, and few enough to be looked through.
    private static let most = 16
    /// Bytes of a header that is worth it.
    private static let longest = 512

    private let headers = Guarded<[Header]>([])

    /// What the header says, if it is known.
    func members(of encoded: ArraySlice<UInt8>) -> JSONObject? {
        headers.withLock { headers in headers.first { $0.encoded.hasSameBytes(as: encoded) }?.members }
    }

    /// Remembers the header of a token that was found right, so that nobody else can fill the places.
    func remember(_ encoded: ArraySlice<UInt8>, _ members: JSONObject) {
        guard encoded.count <= Self.longest else { return }
        headers.withLock { headers in
            guard !headers.contains(where: { $0.encoded.hasSameBytes(as: encoded) }) else { return }
            if headers.count == Self.most { headers.removeFirst() }
            // Of its own, since the token is not to be kept.
            headers.append(Header(encoded: Array(encoded)[...], members: members))
        }
    }
}
