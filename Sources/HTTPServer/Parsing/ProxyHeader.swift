/// The header with which a proxy announces its client's address: the PROXY protocol, version 1, which is a line of text,
/// or version 2.
struct ProxyHeader: Equatable {
    enum Result: Equatable {
        case incomplete
        case header(ProxyHeader)
        case malformed
    }

    private enum Command { case local, proxy }

    /// `\r\n\r\n\0\r\nQUIT\n`: no request begins with it.
    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]
    private static let fixedLength = 16
    /// The longest header that is read; the specification asks for 536 bytes at least.
    static let maxLength = 2048

    /// The client's address; nil if the proxy connects for itself, or for a client without an address on the Internet.
    var source: IPAddress?
    /// The bytes of the header, its extensions included.
    var length: Int

    /// Reads a header from the beginning of the bytes.
    static func parse(_ bytes: Span<UInt8>) -> Result {
        guard bytes.count == 0 || bytes[0] != ProxyLine.start[0] else { return ProxyLine.parse(bytes) }
        for index in 0..<min(signature.count, bytes.count) where bytes[index] != signature[index] {
            return .malformed
        }
        guard bytes.count >= fixedLength else { return .incomplete }
        let length = fixedLength + Int(bytes[14]) << 8 + Int(bytes[15])
        guard let command = command(bytes[12]), length <= maxLength else { return .malformed }
        // What a proxy says of itself is skipped: its own address counts.
        if command == .local { return bytes.count < length ? .incomplete : .header(ProxyHeader(length: length)) }
        guard let addresses = addresses(bytes[13]), fixedLength + addresses.length <= length else { return .malformed }
        guard bytes.count >= length else { return .incomplete }
        let source = IPAddress(bytes.extracting(fixedLength..<fixedLength + addresses.sourceLength))
        return .header(ProxyHeader(source: source, length: length))
    }

    /// Whether the bytes, of which there is one at least, begin as a header does.
    static func isBegun(by bytes: Span<UInt8>) -> Bool {
        [signature, ProxyLine.start].contains { start in
            (0..<min(start.count, bytes.count)).allSatisfy { bytes[$0] == start[$0] }
        }
    }

    /// How many bytes may be read after these, which are an incomplete header, without reading past its end.
    static func missingBytes(behind bytes: Span<UInt8>) -> Int {
        guard bytes.count > 0 else { return ProxyLine.shortest }
        guard bytes[0] != ProxyLine.start[0] else { return ProxyLine.missingBytes(behind: bytes) }
        guard bytes.count >= fixedLength else { return fixedLength - bytes.count }
        return max(1, fixedLength + Int(bytes[14]) << 8 + Int(bytes[15]) - bytes.count)
    }

    /// The version, which must be 2, and the command.
    private static func command(_ byte: UInt8) -> Command? {
        switch byte {
        case 0x20: .local
        case 0x21: .proxy
        default: nil
        }
    }

    /// The bytes of both addresses and ports, and of the source's address if it is one of the Internet's.
    private static func addresses(_ familyAndTransport: UInt8) -> (length: Int, sourceLength: Int)? {
        switch familyAndTransport {
        case 0x00: (0, 0)
        case 0x11, 0x12: (12, 4)
        case 0x21, 0x22: (36, 16)
        case 0x31, 0x32: (216, 0)
        default: nil
        }
    }
}
