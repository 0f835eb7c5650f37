import COpenSSL

extension RSAPrivateKey {
    /// The key in a PEM text: exactly one unencrypted `PRIVATE KEY` (PKCS #8, RFC 7468 section 10).
    package convenience init(pem: [UInt8]) throws(KeyError) {
        try Self.checkFrame(pem)
        try self.init(takingOwnershipOf: KeyMemory.holding { () throws(KeyError) in try Self.read(pem) })
    }

    /// A key that the caller owns.
    private static func read(_ pem: [UInt8]) throws(KeyError) -> OpaquePointer {
        OpenSSLErrorQueue.clear()
        let bio: MemoryBIO
        do { bio = try MemoryBIO(pem) } catch { throw .failure(error) }
        // Never ask for a passphrase: OpenSSL's own callback would read from the terminal.
        guard let key = PEM_read_bio_PrivateKey(bio.pointer, nil, { _, _, _, _ in -1 }, nil) else {
            throw .unreadable(OpenSSLErrorQueue.failure(to: "read the key"))
        }
        KeyProbe.sign(by: key)
        return key
    }

    private static func checkFrame(_ pem: [UInt8]) throws(KeyError) {
        let frame: PEMFrame
        do { frame = try PEMFrame(pem) } catch { throw .notPEM(error) }
        guard frame.label == "PRIVATE KEY" else { throw .otherLabel(PEMLabel(rawValue: frame.label) ?? .unknown) }
        switch frame.ending {
        case .nothing: return
        case .missing: throw .notPEM(PEMFault(in: pem) ?? .truncated)
        case .moreData: throw .trailingData
        }
    }
}
