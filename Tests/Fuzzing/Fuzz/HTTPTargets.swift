@testable import HTTPServer

/// A request's head. A prefix is incomplete or has the result of the whole; a parser that waits as long as `nextLook`
/// says misses nothing; an accepted head holds no bare line end and is framed by one field at most. The server
/// decodes no chunked bodies: it ends the connection after the answer.
enum RequestTarget {
    private static let tight = HTTPLimits(maxLine: 24, maxHead: 64, maxFields: 3, maxDiscardedBody: 4)
    private static let longest = 400

    static func run(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let bytes = Array(input.dropFirst().prefix(longest))
        let parser = RequestParser(limits: first & 1 == 0 ? HTTPLimits() : tight)
        let whole = parser.parse(bytes.span)
        var nextLook = 0
        for cut in 0...bytes.count {
            let prefix = bytes.span.extracting(first: cut)
            let result = parser.parse(prefix)
            require(result == .incomplete || result == whole, "\(result) after \(cut) bytes, \(whole) as a whole")
            let isEndOfLine = cut > 0 && bytes[cut - 1] == UInt8(ascii: "\n")
            // The connection looks at each line's end, and where it was told to.
            if cut < nextLook, !isEndOfLine, case .request = result { require(false, "\(cut) is before \(nextLook)") }
            nextLook = result == .incomplete ? parser.nextLook(at: prefix) : 0
            require(result != .incomplete || nextLook > cut, "the next look is at \(nextLook), after \(cut)")
        }
        if case .request(let head) = whole { check(head, of: bytes) }
    }

    private static func check(_ head: RequestHead, of bytes: [UInt8]) {
        require(head.length <= bytes.count && bytes[..<head.length].suffix(4).elementsEqual("\r\n\r\n".utf8), "the end")
        require(head.path.upperBound < head.fields.lowerBound, "the path is in the fields")
        let text = bytes[..<head.length]
        for index in text.indices where [10, 13, 0].contains(text[index]) {
            let isPair = text[index] == 13 ? text[index + 1] == 10 : text[index] == 10 && text[index - 1] == 13
            require(isPair, "byte \(text[index]) at \(index)")
        }
        let names = lines(bytes[head.fields]).map { line in
            String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
        }
        let framing = names.count { $0 == "content-length" || $0 == "transfer-encoding" }
        require(framing <= 1 && names.count { $0 == "host" } <= 1, "fields \(names)")
        require(framing == 1 || head.body == .none, "a body without a length")
        if names.contains("transfer-encoding") {
            require(head.body == .unread && !head.isPersistent, "a chunked body that may be followed by a request")
        }
    }

    private static func lines(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n")).filter { !$0.isEmpty }
    }
}

/// The fields of a stream, each `name FE value FF`. What is accepted is accepted in HTTP/1.1 too, as the same request;
/// the outcome does not depend on the request before.
enum FieldsTarget {
    static func run(_ input: [UInt8]) {
        guard let first = input.first, input.count <= 2048 else { return }
        let fields = input.dropFirst().split(separator: 0xFF).map { field in
            field.split(separator: 0xFE, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
        }
        let assembly = RequestAssembly(limits: HTTPLimits())
        var outcomes: [Outcome] = []
        for _ in 0..<2 {
            assembly.begin()
            for field in fields {
                let isWanted = field[0].withUnsafeBytes { name in
                    (field.count > 1 ? field[1] : []).withUnsafeBytes { assembly.add(name, $0) }
                }
                guard isWanted else { return }
            }
            outcomes.append(Outcome(assembly.finish(hasBody: first & 1 == 1), assembly))
        }
        require(outcomes[0] == outcomes[1], "\(outcomes)")
        if case .request(let head, let bytes) = outcomes[0] { compare(head, bytes) }
    }

    private enum Outcome: Equatable {
        case fault(StreamFault)
        case request(RequestHead, [UInt8])

        init(_ outcome: RequestAssembly.Outcome, _ assembly: RequestAssembly) {
            switch outcome {
            case .fault(let fault): self = .fault(fault)
            case .request(let head): self = .request(head, Array(assembly.bytes))
            }
        }
    }

    private static func compare(_ head: RequestHead, _ bytes: [UInt8]) {
        // A tunnel's target is none of HTTP/1.1's other forms, and has no path.
        guard head.method != .connect else { return }
        let target = bytes[head.path] + (head.query.map { [UInt8(ascii: "?")] + bytes[$0] } ?? [])
        // The asterisk form has an empty path.
        let text = Array("\(head.method.rawValue) ".utf8) + (target.isEmpty ? [UInt8(ascii: "*")] : Array(target))
        let lines = Array(" HTTP/1.1\r\n".utf8) + bytes[head.fields] + Array("\r\n".utf8)
        let whole = text + lines
        let result = RequestParser(limits: HTTPLimits()).parse(whole.span)
        guard case .request(let other) = result else {
            return require(false, "HTTP/1.1 refuses: \(result) \(whole.text)")
        }
        require(other.method == head.method && other.body == head.body, "\(other) instead of \(head)")
        require(whole[other.path].elementsEqual(bytes[head.path]), "the path is \(whole[other.path])")
        let queries = (other.query.map { Array(whole[$0]) }, head.query.map { Array(bytes[$0]) })
        require(queries.0 == queries.1, "the query is \(queries)")
    }
}

/// A PROXY header. A prefix is incomplete or has the result of the whole, and no read that `missingBytes` allows goes past
/// the header's end.
enum ProxyTarget {
    static func run(_ input: [UInt8]) {
        let bytes = Array(input.prefix(ProxyHeader.maxLength + 64))
        let whole = ProxyHeader.parse(bytes.span)
        for cut in 0...min(bytes.count, 300) {
            let prefix = bytes.span.extracting(first: cut)
            let result = ProxyHeader.parse(prefix)
            require(result == .incomplete || result == whole, "\(result) after \(cut) bytes, \(whole) as a whole")
            guard case .header(let header) = whole else { continue }
            require(cut == 0 || ProxyHeader.isBegun(by: prefix), "a header does not begin with \(cut) of its bytes")
            guard result == .incomplete else { continue }
            let missing = ProxyHeader.missingBytes(behind: prefix)
            require(missing > 0 && cut + missing <= header.length, "\(missing) bytes after \(cut) of \(header.length)")
        }
    }
}

/// `Forwarded` and `X-Forwarded-For`. Once an address is found that no proxy has, nothing further left changes it; and
/// all lines as one list have the same result as the lines.
enum ForwardedTarget {
    private static let proxies = ["10.0.0.0/8", "fd00::/8"].compactMap { try? AddressRange($0) }
    private static let proxy = IPAddress("10.0.0.1")

    static func run(_ input: [UInt8]) {
        // What no field value holds never comes this far.
        guard let first = input.first, input.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 }) else { return }
        let field: ForwardedAddress.Field = first & 1 == 0 ? .forwarded : .xForwardedFor
        let forwarded = ForwardedAddress(trusting: proxies, trustsUnixSockets: false, reading: field)
        let line = Array(input.dropFirst())
        guard let client = forwarded.client(peer: proxy, lines: [line]), !proxies.contain(client) else { return }
        for junk in ["8.8.8.8", "for=8.8.8.8", "\"", "for=\"\\\"", "unknown", ",,"] {
            let longer = Array(junk.utf8) + [UInt8(ascii: ",")] + line
            require(forwarded.client(peer: proxy, lines: [longer]) == client, "\(junk) changes \(line.text)")
            require(forwarded.client(peer: proxy, lines: [Array(junk.utf8), line]) == client, "\(junk) as a line")
        }
        require(IPAddress(client.description) == client, "\(client) is another address in text")
    }
}
