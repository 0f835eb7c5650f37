import CLinux
import Glibc

/// A socket address in the kernel's form.
extension SocketAddress {
    /// The family of sockets that can be bound or connected to it (socket(2)).
    package var family: Int32 {
        switch self {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    /// Whether the kernel has IPv6 (socket(2)).
    package static let hasIPv6: Bool = {
        let number = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return errno != EAFNOSUPPORT }
        close(number)
        return true
    }()

    /// Calls with the kernel's form of the address and its length in bytes.
    package func withSockaddr<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        var storage = sockaddr_storage()
        let length = withUnsafeMutableBytes(of: &storage) { fill($0) }
        return withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }

    private func fill(_ storage: UnsafeMutableRawBufferPointer) -> Int {
        switch self {
        case .ipv4(let address, let port):
            var form = sockaddr_in()
            form.sin_family = sa_family_t(AF_INET)
            form.sin_port = port.bigEndian
            form.sin_addr.s_addr = address.bigEndian
            storage.storeBytes(of: form, as: sockaddr_in.self)
            return MemoryLayout<sockaddr_in>.size
        case .ipv6(let address, let port):
            var form = sockaddr_in6()
            form.sin6_family = sa_family_t(AF_INET6)
            form.sin6_port = port.bigEndian
            form.sin6_addr = SocketAddress.ipv6(address) ?? in6_addr()
            storage.storeBytes(of: form, as: sockaddr_in6.self)
            return MemoryLayout<sockaddr_in6>.size
        case .unix(let path):
            let offset = MemoryLayout<sa_family_t>.size
            storage.storeBytes(of: sa_family_t(AF_UNIX), as: sa_family_t.self)
            UnsafeMutableRawBufferPointer(rebasing: storage[offset...]).copyBytes(from: path.utf8)
            guard path.hasPrefix("@") else { return offset + path.utf8.count + 1 }
            storage[offset] = 0
            return offset + path.utf8.count
        }
    }

    /// What a socket is bound to, with the port that the kernel gave it.
    static func bound(to number: Int32) throws(SystemError) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        try System.must("getsockname") {
            withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
            }
        }
        return try withUnsafeBytes(of: &storage) { (bytes) throws(SystemError) in
            try SocketAddress(UnsafeRawBufferPointer(rebasing: bytes[..<Int(length)]))
        }
    }

    private init(_ form: UnsafeRawBufferPointer) throws(SystemError) {
        switch Int32(form.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            let form = form.loadUnaligned(as: sockaddr_in.self)
            self = .ipv4(UInt32(bigEndian: form.sin_addr.s_addr), port: UInt16(bigEndian: form.sin_port))
        case AF_INET6:
            let form = form.loadUnaligned(as: sockaddr_in6.self)
            self = .ipv6(SocketAddress.text(of: form.sin6_addr), port: UInt16(bigEndian: form.sin6_port))
        case AF_UNIX:
            let path = form.dropFirst(MemoryLayout<sa_family_t>.size)
            let isAbstract = path.first == 0
            let name = isAbstract ? path.dropFirst() : path.prefix { $0 != 0 }
            self = .unix((isAbstract ? "@" : "") + String(decoding: name, as: UTF8.self))
        default: throw SystemError(operation: "getsockname", code: EAFNOSUPPORT)
        }
    }
}
