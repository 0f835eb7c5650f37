@testable import HTTPServer

/// A PROXY protocol header, part by part.
struct ProxyHeaderBytes {
    static let signature: [UInt8] = [0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]

    var command: UInt8 = 0x21
    var family: UInt8 = 0x11
    /// Source, destination, both ports.
    var addresses: [UInt8] = [198, 51, 100, 9, 10, 0, 0, 1, 0x12, 0x34, 0, 80]
    /// A type, two bytes of length, a value.
    var extensions: [UInt8] = []
    var announcedLength: Int?

    static let ipv6 = ProxyHeaderBytes(
        family: 0x21,
        addresses: [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [1]
            + [UInt8](repeating: 0, count: 20))
    static let local = ProxyHeaderBytes(command: 0x20, family: 0, addresses: [])

    var bytes: [UInt8] {
        let length = announcedLength ?? addresses.count + extensions.count
        return Self.signature + [command, family, UInt8(length >> 8), UInt8(length & 255)] + addresses + extensions
    }
}
