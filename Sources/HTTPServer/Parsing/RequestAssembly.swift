/// Puts a request together out of the fields of another protocol (RFC 9113 section 8.3), under the grammars and limits
/// of a head in HTTP/1.1: nothing is accepted here that is refused there. A request that is malformed in that protocol
/// ends its stream; one that HTTP/1.1 would refuse is answered.
///
/// The result looks like a head of HTTP/1.1 to its callers: a target and a method, then field lines, of which the
/// authority is `Host`. No line can begin within another, since every part is checked before it is added.
final class RequestAssembly {
    enum Outcome {
        case request(RequestHead)
        case fault(StreamFault)
    }

    /// Beyond so many times the longest head nothing more is worth decoding.
    private static let decodedHeads = 4
    /// What a field counts besides its name and value (RFC 9113 section 6.5.2).
    private static let fieldOverhead = 32

    private let limits: HTTPLimits
    private let text = OutputBuffer(capacity: 0)
    private let authority = OutputBuffer(capacity: 0)
    /// The authority of an earlier request that was accepted: nearly all of a connection have the same.
    private let known = OutputBuffer(capacity: 0)
    /// The values of `Cookie` fields, which may come apart (RFC 9113 section 8.2.3).
    private let cookies = OutputBuffer(capacity: 0)
    // Only this class touches it, and calls no code of others meanwhile: skips a runtime check for each part of a request,
    // which cost 2,000 of its 16,200 instructions.
    @exclusivity(unchecked) private var parts = Parts()

    /// What is known of the request so far; the ranges are in `text`.
    private struct Parts {
        var target: Range<Int>?
        var method: Range<Int>?
        var fieldsStart: Int?
        var count = 0
        var size = 0
        var isAuthorityKnown = false
        var hasScheme = false
        var isSecure = false
        var hasHost = false
        /// The request names no path, as a tunnel's does (RFC 9113 section 8.5).
        var isTunnel = false
        var framing = RequestFraming()
        var fault: StreamFault?
    }

    init(limits: HTTPLimits) { self.limits = limits }

    /// The bytes to which a finished head belongs.
    var bytes: UnsafeRawBufferPointer { text.bytes }

    /// Bytes that it holds.
    var memory: Int { text.capacity + authority.capacity + known.capacity + cookies.capacity }

    /// Frees its buffers until a request begins.
    func trim() {
        for buffer in [text, authority, known, cookies] { buffer.free() }
    }

    /// Whether it is a HEAD request, however it goes on.
    var isHead: Bool {
        parts.method.map { Span<UInt8>(_unsafeBytes: bytes).equals("HEAD", $0) } ?? false
    }

    /// Bytes of the body that the request announces; nil if it does not say.
    var contentLength: Int? { parts.framing.contentLength }

    /// Drops everything.
    func begin() {
        text.removeAll()
        authority.removeAll()
        cookies.removeAll()
        parts = Parts()
    }

    /// Takes the next field; false if the rest is not worth decoding.
    func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        parts.size += name.count + value.count + Self.fieldOverhead
        guard parts.fault == nil else { return parts.size <= Self.decodedHeads * limits.maxHead }
        do throws(StreamFault) {
            guard parts.size <= limits.maxHead else { throw .refused(.fieldsTooLarge) }
            let name = Span<UInt8>(_unsafeBytes: name)
            if name.count > 0, name[0] == UInt8(ascii: ":") {
                try addPseudo(name, value)
            } else {
                try addField(name, value)
            }
        } catch {
            parts.fault = error
        }
        return true
    }

    // MARK: Pseudo-fields

    /// None may be empty, come twice or follow a field, and there are no others (RFC 9113 sections 8.3 and 8.3.1).
    private func addPseudo(_ name: Span<UInt8>, _ value: UnsafeRawBufferPointer) throws(StreamFault) {
        guard parts.fieldsStart == nil, value.count > 0 else { throw .malformed }
        switch name.count {
        case 5 where name.matches(":path", at: 0):
            guard parts.target == nil else { throw .malformed }
            guard value.count <= limits.maxLine else { throw .refused(.targetTooLong) }
            parts.target = word(value)
        case 7 where name.matches(":method", at: 0):
            guard parts.method == nil else { throw .malformed }
            guard value.count <= limits.maxLine else { throw .refused(.malformedRequestLine) }
            parts.method = word(value)
        case 10 where name.matches(":authority", at: 0):
            guard authority.count == 0 else { throw .malformed }
            authority.append(value)
        case 7 where name.matches(":scheme", at: 0):
            guard !parts.hasScheme else { throw .malformed }
            parts.hasScheme = true
            try check(scheme: value)
        default: throw .malformed
        }
    }

    private func check(scheme value: UnsafeRawBufferPointer) throws(StreamFault) {
        let scheme = Span<UInt8>(_unsafeBytes: value)
        let all = 0..<value.count
        // Nearly all are in lower case.
        parts.isSecure = all.count == 5
        if all.count == 5, scheme.matches("https", at: 0) { return }
        if all.count == 4, scheme.matches("http", at: 0) { return }
        if scheme.equalsIgnoringCase("https", all) || scheme.equalsIgnoringCase("http", all) { return }
        throw value.holdsBlank ? .malformed : .refused(.malformedTarget)
    }

    /// Puts a word and a space, which no target and no method may hold.
    private func word(_ value: UnsafeRawBufferPointer) -> Range<Int> {
        let start = text.count
        text.append(word: value)
        return start..<text.count - 1
    }

    // MARK: Fields

    private func addField(_ name: Span<UInt8>, _ value: UnsafeRawBufferPointer) throws(StreamFault) {
        guard StreamField.isValid(name, value) else { throw .malformed }
        if parts.fieldsStart == nil { try beginFields() }
        if name.count == 4, name.matches("host", at: 0) {
            guard !parts.hasHost, value.count > 0, !value.holdsBlank else { throw .malformed }
            parts.hasHost = true
            guard authority.count > 0 else { return try addLine(name, value) }
            // The same twice is allowed; two hosts are not (RFC 9113 section 8.3.1).
            guard authority.holds(value) || isSameHost(value) else { throw .refused(.malformedHost) }
            return
        }
        if name.count == 6, name.matches("cookie", at: 0) {
            if cookies.count > 0 { cookies.append("; ") }
            return cookies.append(value)
        }
        try addLine(name, value)
    }

    private func isSameHost(_ value: UnsafeRawBufferPointer) -> Bool {
        let (one, other) = (Span<UInt8>(_unsafeBytes: authority.bytes), Span<UInt8>(_unsafeBytes: value))
        guard HostGrammar.accepts(one, 0..<one.count), HostGrammar.accepts(other, 0..<other.count) else { return false }
        return HostGrammar.areSame(one, other, isSecure: parts.isSecure)
    }

    /// The authority is the first of them.
    private func beginFields() throws(StreamFault) {
        if parts.target == nil {
            parts.isTunnel = true
            parts.target = word(authority.bytes)
        }
        parts.fieldsStart = text.count
        guard authority.count > 0 else { return }
        parts.isAuthorityKnown = known.holds(authority.bytes)
        guard parts.isAuthorityKnown else {
            guard !authority.bytes.holdsBlank else { throw .malformed }
            return try addLine("host", authority.bytes)
        }
        parts.count += 1
        text.append("host:")
        parts.framing.take(host: text.count..<text.count + authority.count)
        text.append(authority.bytes)
        text.append("\r\n")
    }

    private func addLine(_ name: StaticString, _ value: UnsafeRawBufferPointer) throws(StreamFault) {
        let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        try addLine(Span(_unsafeBytes: name), value)
    }

    private func addLine(_ name: Span<UInt8>, _ value: UnsafeRawBufferPointer) throws(StreamFault) {
        parts.count += 1
        guard parts.count <= limits.maxFields, name.count + value.count < limits.maxLine else {
            throw .refused(.fieldsTooLarge)
        }
        let start = text.count
        name.withUnsafeBytes { text.append(field: $0, value) }
        let colon = start + name.count
        let field = RequestField(name: start..<colon, value: colon + 1..<colon + 1 + value.count)
        do { try parts.framing.consider(Span(_unsafeBytes: text.bytes), field) } catch {
            throw StreamFault(error, isPathMissing: isPathMissing)
        }
    }

    // MARK: The whole

    /// The head that `bytes` hold now, or what is wrong with it.
    func finish(hasBody: Bool) -> Outcome {
        do throws(StreamFault) {
            if let fault = parts.fault { throw fault }
            if parts.fieldsStart == nil { try beginFields() }
            if cookies.count > 0 { try addLine("cookie", cookies.bytes) }
            if !hasBody, let contentLength, contentLength > 0 { throw .malformed }
            return .request(try head(Span(_unsafeBytes: bytes)))
        } catch {
            return .fault(error)
        }
    }

    private func head(_ bytes: Span<UInt8>) throws(StreamFault) -> RequestHead {
        let fields = (parts.fieldsStart ?? 0)..<text.count
        do throws(RequestParser.Stop) {
            let head = try parts.framing.finish(
                bytes, try requestLine(bytes), fields: fields, limits: limits, isHostKnown: parts.isAuthorityKnown)
            if !parts.isAuthorityKnown { remember() }
            return head
        } catch {
            throw StreamFault(error, isPathMissing: isPathMissing)
        }
    }

    private func remember() {
        known.removeAll()
        known.append(authority.bytes)
    }

    private func requestLine(_ bytes: Span<UInt8>) throws(RequestParser.Stop) -> RequestLine {
        guard let target = parts.target, let name = parts.method,
            bytes.end(of: .token, from: name.lowerBound) == name.upperBound
        else {
            throw .rejection(.malformedRequestLine)
        }
        let method = HTTPMethod(bytes, name)
        guard parts.isTunnel == (method == .connect), parts.isTunnel != parts.hasScheme else {
            throw .rejection(.malformedRequestLine)
        }
        var position = target.lowerBound
        let parsed = try RequestTarget(bytes, &position)
        guard position == target.upperBound else { throw .rejection(.malformedTarget) }
        guard let method else { throw .rejection(.unknownMethod) }
        guard parsed.isAllowed(for: method), parsed.form != .absolute else { throw .rejection(.malformedTarget) }
        return RequestLine(method: method, target: parsed, isVersion10: false)
    }

    /// Whether the target is none, but for the characters that HTTP/1.1 would judge (RFC 9113 section 8.3.1).
    private var isPathMissing: Bool {
        guard let target = parts.target, !target.isEmpty else { return true }
        let bytes = UnsafeRawBufferPointer(rebasing: bytes[target])
        return bytes.holdsBlank || (!parts.isTunnel && bytes.first != UInt8(ascii: "/"))
    }
}

/// What is wrong with a stream's request.
enum StreamFault: Error, Equatable {
    /// It is malformed (RFC 9113 section 8.1.1).
    case malformed
    /// HTTP/1.1 would refuse the same, too.
    case refused(RequestRejection)

    /// What would end the parsing in HTTP/1.1. A request that lacks a part, or has a body of
    /// another length than it says, is malformed.
    init(_ stop: RequestParser.Stop, isPathMissing: @autoclosure () -> Bool) {
        switch stop {
        case .rejection(.malformedRequestLine), .rejection(.missingHost), .rejection(.malformedLength),
            .rejection(.conflictingLength):
            self = .malformed
        case .incomplete, .rejection(.malformedTarget):
            self = isPathMissing() ? .malformed : .refused(.malformedTarget)
        case .rejection(let reason): self = .refused(reason)
        }
    }
}
