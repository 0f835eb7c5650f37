import COpenSSL
import OpenSSLCrypto

/// A text of PEM (RFC 7468) that holds several objects of one kind.
enum PEMText {
    /// The objects, in the text's order; throws where one cannot be read, or there is none. `next` reads one out of a BIO,
    /// and gives nil at the text's end and where it cannot.
    static func objects<Object>(
        of pem: [UInt8], called name: String, _ next: (OpaquePointer) -> Object?
    ) throws(OpenSSLFailure) -> [Object] {
        OpenSSLErrorQueue.clear()
        let bio = try MemoryBIO(pem)
        var objects: [Object] = []
        while let object = next(bio.pointer) { objects.append(object) }
        // The text's end, and the only way to know of it.
        let isEnd = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE
        guard isEnd, !objects.isEmpty else { throw OpenSSLErrorQueue.failure(to: "read the \(name)") }
        OpenSSLErrorQueue.clear()
        return objects
    }
}
