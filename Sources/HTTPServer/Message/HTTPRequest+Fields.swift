import Glibc

/// A request's headers, found by their names without regard to case.
extension HTTPRequest {
    /// The value of the only field of this (lower-case) name; nil if there is none, or more than one, since
    /// none of several is the right one.
    package func field(_ name: StaticString) -> String? {
        onlyValue(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls with the value that `field` would copy.
    @inlinable
    public func withField<Value, Failure: Error>(
        _ name: StaticString, _ body: (Span<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let value = onlyValue(of: name) else { return nil }
        return try body(Span(_unsafeBytes: value))
    }

    /// How often there is a field of this name, as bytes in lower case, and what `read` makes of the value where there
    /// is one; a name with an upper-case letter is never found.
    @inlinable
    public func occurrence<Value>(of name: [UInt8], _ read: (Span<UInt8>) -> Value) -> FieldOccurrence<Value> {
        switch name.withUnsafeBufferPointer({ valueOccurrence(of: $0) }) {
        case .none: .none
        case .once(let value): .once(read(Span(_unsafeBytes: value)))
        case .repeated: .repeated
        }
    }

    /// The values of all fields of this (lower-case) name, in the order of their lines: for lists, which may be spread
    /// over several (RFC 9110 section 5.3). No more than a head may hold.
    package func values(of name: StaticString) -> [[UInt8]] {
        values(of: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    /// The same for a name that is configured, as bytes in lower case.
    package func values(of name: [UInt8]) -> [[UInt8]] {
        name.withUnsafeBufferPointer { values(of: $0) }
    }

    private func values(of name: UnsafeBufferPointer<UInt8>) -> [[UInt8]] {
        var values: [[UInt8]] = []
        forEachValue(of: name) { values.append(Array($0)) }
        return values
    }

    @usableFromInline
    func onlyValue(of name: StaticString) -> UnsafeRawBufferPointer? {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        guard case .once(let value) = valueOccurrence(of: name) else { return nil }
        return value
    }

    @usableFromInline
    func valueOccurrence(of name: UnsafeBufferPointer<UInt8>) -> FieldOccurrence<UnsafeRawBufferPointer> {
        var occurrence = FieldOccurrence<UnsafeRawBufferPointer>.none
        forEachValue(of: name) { value in
            if case .none = occurrence { occurrence = .once(value) } else { occurrence = .repeated }
        }
        return occurrence
    }

    /// The grammar was checked, so the first colon ends a name and the first CR a value.
    @inline(__always)
    private func forEachValue(of name: UnsafeBufferPointer<UInt8>, _ body: (UnsafeRawBufferPointer) -> Void) {
        let span = Span<UInt8>(_unsafeBytes: bytes)
        var start = head.fields.lowerBound
        while start < head.fields.upperBound {
            guard let nameEnd = bytes.position(of: UInt8(ascii: ":"), from: start),
                let valueEnd = bytes.position(of: .carriageReturn, from: nameEnd + 1)
            else { return }
            if span.equalsIgnoringCase(name, start..<nameEnd) {
                body(UnsafeRawBufferPointer(rebasing: bytes[span.trimmed(nameEnd + 1..<valueEnd)]))
            }
            start = valueEnd + 2
        }
    }
}

/// How often a request has a header that may come once.
@frozen
public enum FieldOccurrence<Value> {
    case none
    case once(Value)
    /// More than once, so that it is not known which counts.
    case repeated
}

extension UnsafeRawBufferPointer {
    /// Where a byte is first, from a position on; nil if it is not there.
    fileprivate func position(of byte: UInt8, from start: Int) -> Int? {
        guard let base = baseAddress, start < count else { return nil }
        return memchr(base + start, Int32(byte), count - start).map { UnsafeRawPointer($0) - base }
    }
}
