import Glibc

/// What takes bytes to be sent.
protocol ByteSink: ~Copyable {
    /// How many of the bytes were taken; nil if none for now.
    borrowing func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int?
}

/// Where a loop puts answers together before they are sent; one for all its connections, as it is empty between them.
final class OutputBuffer {
    private var storage: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(capacity: Int = 65_536) {
        storage = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { storage.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    /// Whether it holds exactly these.
    func holds(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count, let start = storage.baseAddress, let other = other.baseAddress else {
            return count == other.count
        }
        return memcmp(start, other, count) == 0
    }

    func removeAll() { count = 0 }

    @inline(__always)
    func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    func append(_ literal: StaticString) {
        append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// A number in decimal digits.
    func append(_ number: Int) {
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        withUnsafeMutableBytes(of: &digits) { digits in
            var rest = number.magnitude
            var start = digits.count
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            append(UnsafeRawBufferPointer(rebasing: digits[start...]))
        }
    }

    /// A number in sixteen hexadecimal digits.
    func append(hexadecimal number: UInt64) {
        reserve(16)
        storage.storeBytes(of: number.hexadecimal, toByteOffset: count, as: (UInt64, UInt64).self)
        count += 16
    }

    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        guard let source = bytes.baseAddress, let target = storage.baseAddress else { return }
        memcpy(target + count, source, bytes.count)
        count += bytes.count
    }

    /// A field's line: its name, a colon, its value, CR LF.
    func append(field name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        reserve(name.count + value.count + 3)
        guard var next = storage.baseAddress else { return }
        next += count
        if let source = name.baseAddress { memcpy(next, source, name.count) }
        next += name.count
        next.storeBytes(of: UInt8(ascii: ":"), as: UInt8.self)
        next += 1
        if let source = value.baseAddress { memcpy(next, source, value.count) }
        next += value.count
        next.storeBytes(of: UInt16(0x0D0A).bigEndian, as: UInt16.self)
        count += name.count + value.count + 3
    }

    /// Bytes, and a space after them.
    func append(word bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count + 1)
        guard let next = storage.baseAddress.map({ $0 + count }) else { return }
        if let source = bytes.baseAddress { memcpy(next, source, bytes.count) }
        next.storeBytes(of: UInt8(ascii: " "), toByteOffset: bytes.count, as: UInt8.self)
        count += bytes.count + 1
    }

    @inline(__always)
    private func reserve(_ more: Int) {
        if count + more > storage.count { grow(more) }
    }

    @inline(never)
    private func grow(_ more: Int) {
        let grown = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(storage.count * 2, count + more), alignment: 16)
        grown.copyMemory(from: bytes)
        storage.deallocate()
        storage = grown
    }

    /// Sends earlier bytes and these, and drops these; returns the part that was not taken.
    func send<Sink: ByteSink & ~Copyable>(
        after earlier: [UInt8], to sink: borrowing Sink
    ) throws(SystemError) -> [UInt8] {
        defer { removeAll() }
        guard !earlier.isEmpty else { return try OutputBuffer.send(bytes, to: sink) }
        let all = earlier + bytes
        return try all.withUnsafeBufferPointer { (all) throws(SystemError) in
            try OutputBuffer.send(UnsafeRawBufferPointer(all), to: sink)
        }
    }

    /// What would not be taken of these.
    private static func send<Sink: ByteSink & ~Copyable>(
        _ bytes: UnsafeRawBufferPointer, to sink: borrowing Sink
    ) throws(SystemError) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        let sent = try sink.send(bytes) ?? 0
        return sent == bytes.count ? [] : Array(bytes[sent...])
    }
}

extension UInt64 {
    /// Sixteen lower-case hexadecimal digits as they lie in memory, the highest first.
    @inline(__always)
    var hexadecimal: (UInt64, UInt64) { (digits(of: self >> 32), digits(of: self & 0xFFFF_FFFF)) }

    /// The eight digits of 32 bits, all of them at once: each becomes a byte, and the byte a character.
    @inline(__always)
    private func digits(of number: UInt64) -> UInt64 {
        var digits = (number << 16 | number) & 0x0000_FFFF_0000_FFFF
        digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
        digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
        let isLetter = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        let characters = digits &+ 0x3030_3030_3030_3030 &+ isLetter &* 0x27
        return characters.bigEndian
    }
}
