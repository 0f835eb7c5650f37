import HTTPServer

/// The origin of a web page as browsers serialise it (HTML Standard, section 7.1.1; URL Standard, section 4.5).
enum WebOrigin {
    /// Throws why no browser would write this.
    static func check(_ text: String) throws(ValueProblem) {
        guard let end = text.firstIndex(of: ":"), text[end...].hasPrefix("://"), isScheme(text[..<end]) else {
            throw ValueProblem("is not the origin of a web page")
        }
        let rest = text[end...].dropFirst(3)
        guard !rest.contains("/") else { throw ValueProblem("has a slash after its host") }
        let colon = rest.lastIndex(of: ":").flatMap { rest[$0...].contains("]") ? nil : $0 }
        let host = rest[..<(colon ?? rest.endIndex)]
        try checkHost(host)
        let defaultPort = defaultPorts[String(text[..<end])]
        // Hosts of other schemes stay as they are written (URL Standard, section 3.5): those of Safari's extensions.
        guard defaultPort == nil || !host.utf8.contains(where: upperCase.contains) else {
            throw ValueProblem("is not in lower case")
        }
        if let colon { try checkPort(rest[rest.index(after: colon)...], default: defaultPort) }
    }

    private static let lowerCase = UInt8(ascii: "a")...UInt8(ascii: "z")
    private static let upperCase = UInt8(ascii: "A")...UInt8(ascii: "Z")
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let defaultPorts = ["https": "443", "http": "80"]

    /// A scheme (RFC 3986 section 3.1) in lower case, such as `capacitor` of web views. A file's origin is `null`.
    private static func isScheme(_ scheme: Substring) -> Bool {
        guard let first = scheme.utf8.first, lowerCase.contains(first), scheme != "file" else { return false }
        return scheme.utf8.allSatisfy { lowerCase.contains($0) || digits.contains($0) || "+-.".utf8.contains($0) }
    }

    private static func checkHost(_ host: Substring) throws(ValueProblem) {
        guard !host.isEmpty else { throw ValueProblem("has no host") }
        if host.hasPrefix("[") { return try checkAddress(host, "has an IPv6 address in another form than RFC 5952's") }
        guard host.utf8.allSatisfy(isOfName) else {
            throw ValueProblem("has a character in its host that browsers do not write there")
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard !labels.contains(where: \.isEmpty) else { throw ValueProblem("has an empty label in its host") }
        // URL Standard, section 3.5: a host that ends in a number is an IPv4 address.
        if let last = labels.last, last.utf8.allSatisfy(digits.contains) {
            try checkAddress(host, "has an IPv4 address that is not four numbers up to 255 without leading zeros")
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        lowerCase.contains(byte) || upperCase.contains(byte) || digits.contains(byte) || "-_.".utf8.contains(byte)
    }

    /// An address must be written as it is written back.
    private static func checkAddress(_ host: Substring, _ problem: String) throws(ValueProblem) {
        guard let address = try? SocketAddress("\(host):0"), "\(address)" == "\(host):0" else {
            throw ValueProblem(problem)
        }
        // An IPv4 address within an IPv6 one is hexadecimal in a browser, and dotted here.
        guard !host.hasPrefix("[") || !host.contains(".") else { throw ValueProblem(problem) }
    }

    private static func checkPort(_ port: Substring, default defaultPort: String?) throws(ValueProblem) {
        guard String(port) != defaultPort else { throw ValueProblem("has the default port, which browsers leave out") }
        guard !port.isEmpty, port.utf8.allSatisfy(digits.contains) else {
            throw ValueProblem("has no number after its colon")
        }
        guard !port.hasPrefix("0") else { throw ValueProblem("has a port that begins with a zero") }
        guard UInt16(port) != nil else { throw ValueProblem("has a port over 65535") }
    }
}
