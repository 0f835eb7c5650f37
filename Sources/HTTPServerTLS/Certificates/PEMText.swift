import COpenSSL
import OpenSSLCrypto

/// A text of PEM (RFC 7468) that holds several objects of one kind.
enum PEMText {
    /// The objects, in the text's order; throws if one cannot be read or there is none. `next` reads one from a BIO and
    /// returns nil at the end of the text or if it cannot.
    static func objects<Object>(
        of pem: [UInt8], called name: String, _ next: (OpaquePointer) -> Object?
    ) throws(OpenSSLFailure) -> [Object] {
        OpenSSLErrorQueue.clear()
        let bio = try MemoryBIO(pem)
        var objects: [Object] = []
        while let object = next(bio.pointer) { objects.append(object) }
        // The only way to detect the end of the text.
        let isEnd = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE
        guard isEnd, !objects.isEmpty else { throw OpenSSLErrorQueue.failure(to: "read the \(name)") }
        OpenSSLErrorQueue.clear()
        return objects
    }
}
