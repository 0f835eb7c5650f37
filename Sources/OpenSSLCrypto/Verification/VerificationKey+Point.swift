import COpenSSL

extension VerificationKey {
    /// The key with these coordinates, each of the curve's full length: x and y with the most significant byte first
    /// (RFC 7518 section 6.2.1), or Ed25519's one string (RFC 8037 section 2).
    package convenience init(_ curve: Curve, coordinates: [[UInt8]]) throws(PublicKeyError) {
        for coordinate in coordinates where coordinate.count != curve.coordinateBytes {
            throw .unfitCoordinate(bytes: coordinate.count, expected: curve.coordinateBytes)
        }
        let point = coordinates.flatMap(\.self)
        if curve == .ed25519, Ed25519Point(point).isOfSmallOrder { throw .weakPoint }
        let bio: MemoryBIO
        do { bio = try MemoryBIO(curve.keyHead + point) } catch { throw .unreadable(error) }
        // Everything but the point is known to be correct, and OpenSSL refuses a point that is not on its curve.
        defer { OpenSSLErrorQueue.clear() }
        guard let key = d2i_PUBKEY_bio(bio.pointer, nil) else { throw .notOnCurve(curve.rawValue) }
        try self.init(PublicKeyObject(takingOwnershipOf: key), .point(curve))
    }
}
