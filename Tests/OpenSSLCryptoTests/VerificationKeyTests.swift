import Dispatch
import OpenSSLCrypto
import StrictJSON
import Synchronization
import TestSupport
import Testing

/// Keys and signatures that the `openssl` command made.
@Suite struct VerificationKeyTests {
    private let message = Array("header.payload".utf8)

    @Test(arguments: OpenSSLKey.Kind.allCases)
    func `an openssl signature verifies only by its algorithm and its key`(kind: OpenSSLKey.Kind) throws {
        let foreign = try OpenSSLKey(kind)
        let key = try foreign.key()
        let others = try OpenSSLKey.Kind.allCases.map { try OpenSSLKey.shared($0).key() }
        for message in [message, [UInt8](repeating: 0x61, count: 100_000)] {
            for algorithm in kind.algorithms {
                let signature = try foreign.sign(message, by: algorithm)
                for other in JWSAlgorithm.allCases {
                    let isSame = kind == .ed25519 ? [.edDSA, .ed25519].contains(other) : other == algorithm
                    #expect(key.verify(signature, of: message, by: other) == isSame, "\(other)")
                    #expect(others.allSatisfy { !$0.verify(signature, of: message, by: other) }, "\(other)")
                }
                #expect(!key.verify(signature, of: message + [0], by: algorithm))
            }
        }
    }

    @Test(arguments: [2050, 3072])
    func `an RSA key of an uncommon length verifies`(bits: Int) throws {
        let privateKey = try RSAPrivateKey.generate(bits: bits)
        let key = try privateKey.publicKey()
        let signature = try privateKey.sign(message)
        #expect(signature.count == (bits + 7) / 8)
        #expect(key.verify(signature, of: message, by: .rs256))
        #expect(!key.verify(signature, of: message, by: .rs384))
    }

    @Test func `an RSASSA-PSS signature with another salt length or mask is refused`() throws {
        let foreign = try OpenSSLKey.shared(.rsa)
        let key = try foreign.key()
        for (algorithm, length) in [(JWSAlgorithm.ps256, 32), (.ps384, 48), (.ps512, 64)] {
            #expect(try key.verify(foreign.sign(message, by: algorithm, salt: "\(length)"), of: message, by: algorithm))
            for salt in ["0", "20", "\(length - 1)", "\(length + 1)", "max"] {
                let signature = try foreign.sign(message, by: algorithm, salt: salt)
                #expect(!key.verify(signature, of: message, by: algorithm), "\(algorithm), \(salt)")
            }
            let mask = ["-sigopt", "rsa_mgf1_md:sha1"]
            #expect(try !key.verify(foreign.sign(message, by: algorithm, extra: mask), of: message, by: algorithm))
        }
    }

    // MARK: ECDSA

    private static let order: [OpenSSLKey.Kind: String] = [
        .p256: "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551",
        .p384: "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973",
    ]

    @Test(arguments: [OpenSSLKey.Kind.p256, .p384])
    func `an ECDSA signature with r or s out of range is refused`(kind: OpenSSLKey.Kind) throws {
        let foreign = try OpenSSLKey.shared(kind)
        let key = try foreign.key()
        let algorithm = kind.algorithms[0]
        let sound = try foreign.sign(message, by: algorithm)
        #expect(key.verify(sound, of: message, by: algorithm))
        let count = kind.coordinateBytes
        let order = bytes(hex: try #require(Self.order[kind]))
        let above = Array(order.dropLast()) + [order[count - 1] + 1]
        let bounds = [[UInt8](repeating: 0, count: count), order, above, [UInt8](repeating: 0xFF, count: count)]
        let (r, s) = (Array(sound.prefix(count)), Array(sound.suffix(count)))
        for bound in bounds {
            for (r, s) in [(bound, s), (r, bound)] + bounds.map({ (bound, $0) }) {
                #expect(!key.verify(r + s, of: message, by: algorithm))
            }
        }
    }

    @Test(arguments: [OpenSSLKey.Kind.p256, .p384])
    func `an ECDSA signature in DER of any length is refused`(kind: OpenSSLKey.Kind) throws {
        let foreign = try OpenSSLKey.shared(kind)
        let key = try foreign.key()
        let count = 2 * kind.coordinateBytes
        let der = try foreign.signDER(message, digest: kind == .p256 ? "-sha256" : "-sha384")
        let cut = Array(der.prefix(count))
        for signature in [der, cut, cut + [UInt8](repeating: 0, count: count - cut.count), der.suffix(count)] {
            #expect(!key.verify(Array(signature), of: message, by: kind.algorithms[0]))
        }
    }

    @Test func `leading zeros of a signature or its halves are significant`() throws {
        let jwk = """
            {"kty":"EC","crv":"P-256","x":"n62Erq4Iu-9_AQAU2CzvagneKwz4cbXODE8dE6WaWTQ",
            "y":"B8tFdp8QcOLCRw_lsb_mMTPAsM3GTqS_N5Go7CoH_U8"}
            """
        let text = "AAega1HRGmhTVt2ONAVC0ay4EevZngb6Vnvfj7l6vuIAs3DIhpf9zVdR7KEDi12OL20y3OXO5YLHDgO8O5dERQ"
        let curveKey = try #require(try JWKSet(parsing: Array(jwk.utf8)).keys.first).key
        let halves = try Base64URL.decode(text.utf8)
        #expect(halves[0] == 0 && halves[32] == 0)
        #expect(curveKey.verify(halves, of: message, by: .es256))
        #expect(!curveKey.verify(Array(halves[1..<32] + halves[33...]), of: message, by: .es256))

        let rsa = try KeyFixture.key()
        var message: [UInt8] = []
        var signature: [UInt8] = []
        // One signature in 256 begins with a zero byte.
        repeat {
            message.append(0)
            signature = try rsa.sign(message)
        } while signature[0] != 0
        #expect(try rsa.publicKey().verify(signature, of: message, by: .rs256))
        #expect(try !rsa.publicKey().verify(Array(signature.dropFirst()), of: message, by: .rs256))
    }

    // MARK: Many callers

    @Test func `a refused signature does not change a later error`() throws {
        let garbage = Array("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n".utf8)
        let reason = #expect(throws: PublicKeyError.self) { try VerificationKey(rsaPEM: garbage) }
        for kind in OpenSSLKey.Kind.allCases {
            let key = try OpenSSLKey.shared(kind).key()
            for algorithm in JWSAlgorithm.allCases {
                for count in [0, 64, 96, 256] {
                    #expect(!key.verify([UInt8](repeating: 1, count: count), of: message, by: algorithm))
                }
            }
            #expect(throws: try #require(reason)) { try VerificationKey(rsaPEM: garbage) }
        }
    }

    @Test func `threads that share a key each get the right answer`() throws {
        let foreign = try OpenSSLKey.Kind.allCases.map { try OpenSSLKey.shared($0) }
        let cases = try foreign.flatMap { foreign in
            let key = try foreign.key()
            return try foreign.kind.algorithms.map { ($0, key, try foreign.sign(message, by: $0)) }
        }
        let right = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for step in 0..<200 {
                let (algorithm, key, signature) = cases[step % cases.count]
                let isSound = (step / cases.count + thread) % 2 == 0
                let signed = isSound ? message : message + [0]
                guard key.verify(signature, of: signed, by: algorithm) == isSound else { continue }
                right.add(1, ordering: .relaxed)
            }
        }
        #expect(right.load(ordering: .relaxed) == 800)
    }
}
