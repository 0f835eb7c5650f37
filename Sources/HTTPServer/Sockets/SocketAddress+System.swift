import Glibc

/// A socket address in the kernel's form.
extension SocketAddress {
    var family: Int32 {
        switch self {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    /// Calls with the kernel's form of the address.
    func withSockaddr<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
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
            return offset + path.utf8.count + 1
        }
    }

    /// The same address with the port that the kernel gave a bound socket.
    func bound(by descriptor: borrowing Descriptor) throws(SystemError) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let number = descriptor.number
        try System.must("getsockname") {
            withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
            }
        }
        // sin_port and sin6_port lie at the same place, behind the family.
        let port = withUnsafeBytes(of: &storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
        switch self {
        case .ipv4(let address, _): return .ipv4(address, port: port)
        case .ipv6(let address, _): return .ipv6(address, port: port)
        case .unix: return self
        }
    }
}
