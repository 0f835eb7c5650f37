import COpenSSL

/// OpenSSL's random numbers, fit for keys.
package enum SecureRandom {
    /// So many bytes; throws where the system has no random numbers to seed with.
    package static func bytes(_ count: Int) throws(OpenSSLFailure) -> [UInt8] {
        OpenSSLErrorQueue.clear()
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes_ex(nil, &bytes, count, 0) == 1 else {
            throw OpenSSLErrorQueue.failure(to: "make random numbers")
        }
        return bytes
    }
}
