/// Puts a request together out of the fields of another protocol (RFC 9113 section 8.3), under the grammars and limits of
/// a head in HTTP/1.1: nothing is accepted here that is refused there.
///
/// What it makes looks like a head, so that nobody above needs to know: a target and a method, then field lines, of which
/// the authority is `Host`. No line can begin within another, since every part is checked before it is added.
final class RequestAssembly {
    /// Beyond so many times the longest head nothing more is worth decoding.
    private static let decodedHeads = 4
    /// What a field counts besides its name and value (RFC 9113 section 6.5.2).
    private static let fieldOverhead = 32

    private let limits: HTTPLimits
    private let text = OutputBuffer(capacity: 512)
    private let authority = OutputBuffer(capacity: 64)
    /// The authority of an earlier request that was accepted: nearly all of a connection have the same.
    private let known = OutputBuffer(capacity: 64)
    /// The values of `Cookie` fields, which may come apart (RFC 9113 section 8.2.3).
    private let cookies = OutputBuffer(capacity: 16)
    // What its own methods do with these calls nobody back, so that nothing else can be touching them.
    @exclusivity(unchecked) private var target: Range<Int>?
    @exclusivity(unchecked) private var method: Range<Int>?
    @exclusivity(unchecked) private var fieldsStart: Int?
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var size = 0
    @exclusivity(unchecked) private var isAuthorityKnown = false
    @exclusivity(unchecked) private var framing = RequestFraming()
    @exclusivity(unchecked) private var refusal: RequestRejection?

    init(limits: HTTPLimits) { self.limits = limits }

    /// The bytes to which a finished head belongs.
    var bytes: UnsafeRawBufferPointer { text.bytes }

    /// Whether it is a HEAD request, however it goes on.
    var isHead: Bool {
        method.map { Span<UInt8>(_unsafeBytes: bytes).equals("HEAD", $0) } ?? false
    }

    /// Forgets everything.
    func begin() {
        text.removeAll()
        authority.removeAll()
        cookies.removeAll()
        (target, method, fieldsStart, refusal) = (nil, nil, nil, nil)
        (count, size, isAuthorityKnown) = (0, 0, false)
        framing = RequestFraming()
    }

    /// Takes the next field; false if the rest is not worth decoding.
    func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        size += name.count + value.count + Self.fieldOverhead
        guard refusal == nil else { return size <= Self.decodedHeads * limits.maxHead }
        do throws(RequestParser.Stop) {
            guard size <= limits.maxHead else { throw .rejection(.fieldsTooLarge) }
            let name = Span<UInt8>(_unsafeBytes: name)
            if name.count > 0, name[0] == UInt8(ascii: ":") {
                try addPseudo(name, value)
            } else {
                try addField(name, value)
            }
        } catch {
            refusal = error.reason(else: .malformedField)
        }
        return true
    }

    // MARK: Pseudo-fields

    private func addPseudo(_ name: Span<UInt8>, _ value: UnsafeRawBufferPointer) throws(RequestParser.Stop) {
        guard fieldsStart == nil else { throw .rejection(.malformedField) }
        switch name.count {
        case 5 where name.matches(":path", at: 0):
            guard target == nil else { throw .rejection(.malformedTarget) }
            guard value.count <= limits.maxLine else { throw .rejection(.targetTooLong) }
            target = word(value)
        case 7 where name.matches(":method", at: 0):
            guard method == nil, value.count <= limits.maxLine else { throw .rejection(.malformedRequestLine) }
            method = word(value)
        case 10 where name.matches(":authority", at: 0):
            guard authority.count == 0 else { throw .rejection(.malformedHost) }
            authority.append(value)
        case 7 where name.matches(":scheme", at: 0):
            let scheme = Span<UInt8>(_unsafeBytes: value)
            let all = 0..<value.count
            // Nearly all are in lower case.
            if all.count == 5, scheme.matches("https", at: 0) { return }
            if all.count == 4, scheme.matches("http", at: 0) { return }
            guard scheme.equalsIgnoringCase("https", all) || scheme.equalsIgnoringCase("http", all) else {
                throw .rejection(.malformedTarget)
            }
        default: throw .rejection(.malformedField)
        }
    }

    /// Puts a word and a space, which no target and no method may hold.
    private func word(_ value: UnsafeRawBufferPointer) -> Range<Int> {
        let start = text.count
        text.append(word: value)
        return start..<text.count - 1
    }

    // MARK: Fields

    private func addField(_ name: Span<UInt8>, _ value: UnsafeRawBufferPointer) throws(RequestParser.Stop) {
        if fieldsStart == nil { try beginFields() }
        if name.count == 4, authority.count > 0, name.matches("host", at: 0) {
            // The same twice is allowed; two hosts are not (RFC 9113 section 8.3.1).
            guard authority.holds(value) else { throw .rejection(.malformedHost) }
            return
        }
        if name.count == 6, name.matches("cookie", at: 0) {
            if cookies.count > 0 { cookies.append("; ") }
            return cookies.append(value)
        }
        try addLine(name, value)
    }

    /// The authority is the first of them.
    private func beginFields() throws(RequestParser.Stop) {
        // A tunnel has its authority for a target (RFC 9113 section 8.5).
        if target == nil { target = word(authority.bytes) }
        fieldsStart = text.count
        guard authority.count > 0 else { return }
        isAuthorityKnown = known.holds(authority.bytes)
        guard isAuthorityKnown else { return try addLine("host", authority.bytes) }
        count += 1
        text.append("host:")
        framing.take(host: text.count..<text.count + authority.count)
        text.append(authority.bytes)
        text.append("\r\n")
    }

    private func addLine(_ name: StaticString, _ value: UnsafeRawBufferPointer) throws(RequestParser.Stop) {
        let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        try addLine(Span(_unsafeBytes: name), value)
    }

    private func addLine(_ name: Span<UInt8>, _ value: UnsafeRawBufferPointer) throws(RequestParser.Stop) {
        count += 1
        guard count <= limits.maxFields, name.count + value.count < limits.maxLine else {
            throw .rejection(.fieldsTooLarge)
        }
        guard name.count > 0, name.end(of: .token, from: 0) == name.count,
            Span<UInt8>(_unsafeBytes: value).endOfFieldValue(from: 0) == value.count
        else { throw .rejection(.malformedField) }
        let start = text.count
        name.withUnsafeBytes { text.append(field: $0, value) }
        let colon = start + name.count
        let field = RequestField(name: start..<colon, value: colon + 1..<colon + 1 + value.count)
        try framing.consider(Span(_unsafeBytes: text.bytes), field)
    }

    // MARK: The whole

    /// The head that `bytes` hold now, or what is wrong with it.
    func finish() -> RequestParser.Result {
        do throws(RequestParser.Stop) {
            if let refusal { throw .rejection(refusal) }
            if fieldsStart == nil { try beginFields() }
            if cookies.count > 0 { try addLine("cookie", cookies.bytes) }
            let line = try requestLine(Span(_unsafeBytes: bytes))
            let fields = (fieldsStart ?? 0)..<text.count
            let head = try framing.finish(
                Span(_unsafeBytes: bytes), line, fields: fields, limits: limits, isHostKnown: isAuthorityKnown)
            if !isAuthorityKnown { remember() }
            return .request(head)
        } catch {
            return .rejection(error.reason(else: .malformedTarget))
        }
    }

    private func remember() {
        known.removeAll()
        known.append(authority.bytes)
    }

    private func requestLine(_ bytes: Span<UInt8>) throws(RequestParser.Stop) -> RequestLine {
        guard let target, let name = method, !name.isEmpty else { throw .rejection(.malformedRequestLine) }
        guard bytes.end(of: .token, from: name.lowerBound) == name.upperBound else {
            throw .rejection(.malformedRequestLine)
        }
        var position = target.lowerBound
        let parsed = try RequestTarget(bytes, &position)
        guard position == target.upperBound else { throw .rejection(.malformedTarget) }
        guard let method = HTTPMethod(bytes, name) else { throw .rejection(.unknownMethod) }
        guard parsed.isAllowed(for: method), parsed.form != .absolute else { throw .rejection(.malformedTarget) }
        return RequestLine(method: method, target: parsed, isVersion10: false)
    }
}

extension RequestParser.Stop {
    /// Why nothing can come of it; a part that has ended early is malformed where everything is there.
    fileprivate func reason(else malformed: RequestRejection) -> RequestRejection {
        if case .rejection(let reason) = self { reason } else { malformed }
    }
}
