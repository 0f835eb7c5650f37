import Glibc

/// An address of a server, in the kernel's form.
struct ServerAddress: Sendable, Equatable {
    let family: Int32
    private let bytes: [UInt8]

    private init(_ info: addrinfo) {
        family = info.ai_family
        bytes = Array(UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
    }

    /// Calls with the kernel's form and its length in bytes.
    func withSockaddr<Value>(_ body: (UnsafePointer<sockaddr>?, socklen_t) -> Value) -> Value {
        bytes.withUnsafeBytes { body($0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count)) }
    }

    /// As many addresses of a name are tried.
    private static let maxAddresses = 8

    /// The addresses of a host, in the order in which to try them (RFC 6724); none if there are none or no name server
    /// answers. Blocks while one is asked.
    static func lookUp(_ host: String, port: UInt16) -> [ServerAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        // An IPv6 address in a URL is in brackets.
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, String(port), &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        return sequence(first: first) { $0?.pointee.ai_next }.prefix { $0 != nil }.prefix(maxAddresses)
            .compactMap { $0.map { ServerAddress($0.pointee) } }
    }
}
