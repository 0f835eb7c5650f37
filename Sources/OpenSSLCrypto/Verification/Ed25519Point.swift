/// An encoded point of Ed25519's curve (RFC 8032 section 5.1.2): y with the least significant byte first, and the sign of
/// x in the highest bit.
struct Ed25519Point {
    /// 64 bits each, the least significant first.
    private typealias Number = [UInt64]

    private let y: Number

    /// The point of 32 bytes.
    init(_ bytes: [UInt8]) {
        var y = stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start...].prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        y[y.count - 1] &= .max >> 1
        self.y = y
    }

    /// Whether the point's order divides 8. OpenSSL accepts such a key, with which anyone can sign without a private key.
    /// A y that is not below the field's prime is another encoding of a small one, and is treated as such.
    var isOfSmallOrder: Bool {
        Self.smallOrder.contains(y) || !y.reversed().lexicographicallyPrecedes(Self.prime.reversed())
    }

    /// 2^255 - 19.
    private static let prime: Number = [.max - 18, .max, .max, .max >> 1]

    /// The y of the eight points whose order divides 8: 0, 1, -1 and the two values of order 8.
    private static let smallOrder: [Number] = [
        [0, 0, 0, 0], [1, 0, 0, 0], [.max - 19, .max, .max, .max >> 1],
        [0xB027_B2C2_8F95_E826, 0xF098_EFF2_89F4_C345, 0x3933_C6D3_05AC_DFD5, 0x05FC_536D_8802_38B1],
        [0x4FD8_4D3D_706A_17C7, 0x0F67_100D_760B_3CBA, 0xC6CC_392C_FA53_202A, 0x7A03_AC92_77FD_C74E],
    ]
}
