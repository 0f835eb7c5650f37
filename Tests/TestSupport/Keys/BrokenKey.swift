import Foundation
import Testing

/// Ways to break a valid RSA key so that it can still be read.
package enum BrokenKey: CaseIterable, Sendable {
    case otherModulus
    case otherPublicExponent
    case otherPrivateExponents
    case otherPrimes
    // OpenSSL signs correctly with these, by another way than the Chinese remainder theorem.
    case otherPrivateExponent, otherFirstPrime, otherSecondPrime, otherFirstExponent, otherSecondExponent
    case otherCoefficient

    package func pem(of sound: String) throws -> String {
        var key = try PKCS1Key(pem: sound)
        switch self {
        case .otherModulus: key.flip(1)
        case .otherPublicExponent: key.integers[2] = [3]
        case .otherPrivateExponents:
            key.flip(3)
            key.flip(6)
        case .otherPrimes:
            key.flip(3)
            key.integers.swapAt(4, 5)
        case .otherPrivateExponent: key.flip(3)
        case .otherFirstPrime: key.flip(4)
        case .otherSecondPrime: key.flip(5)
        case .otherFirstExponent: key.flip(6)
        case .otherSecondExponent: key.flip(7)
        case .otherCoefficient: key.flip(8)
        }
        return key.pem()
    }
}

/// The integers of an RSA key (RFC 8017 appendix A.1.2: version, n, e, d, p, q, dp, dq, qInv), read from PKCS #8 and
/// written back.
package struct PKCS1Key {
    var integers: [[UInt8]] = []

    private static let algorithm: [UInt8] = [
        0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]

    package init(pem: String) throws {
        let body = pem.split(separator: "\n").dropFirst().dropLast().joined()
        var outer = Array(try #require(Data(base64Encoded: body)))[...]
        var info = try Self.next(&outer)
        _ = try Self.next(&info)  // version
        _ = try Self.next(&info)  // algorithm
        var octets = try Self.next(&info)
        var key = try Self.next(&octets)
        while !key.isEmpty { integers.append(Array(try Self.next(&key))) }
        try #require(integers.count == 9)
    }

    /// Changes one bit in the middle of an integer.
    mutating func flip(_ index: Int) {
        integers[index][integers[index].count / 2] ^= 0x10
    }

    package func pem() -> String {
        let key = Self.element(0x30, integers.flatMap { Self.element(0x02, $0) })
        let info = Self.element(0x30, Self.element(0x02, [0]) + Self.algorithm + Self.element(0x04, key))
        let body = Data(info).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN PRIVATE KEY-----\n\(body)\n-----END PRIVATE KEY-----\n"
    }

    /// Takes the content of the next element (X.690 DER).
    private static func next(_ der: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        var length = Int(try #require(der.dropFirst().first))
        der = der.dropFirst(2)
        if length >= 0x80 {
            let digits = length & 0x7F
            length = der.prefix(digits).reduce(0) { $0 << 8 | Int($1) }
            der = der.dropFirst(digits)
        }
        defer { der = der.dropFirst(length) }
        return der.prefix(length)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
            }
        return [tag] + length + content
    }
}
