import Glibc
import HTTPServer
import StrictJSON
import SystemFiles
import TokenService

/// Sends one request to the admin listener of a running daemon, with a time limit.
struct AdminClient {
    struct Answer {
        /// Where the daemon listens.
        let address: SocketAddress
        let status: Int
        /// The body without its line feed.
        let body: String

        var json: JSONValue { (try? JSONValue(parsing: Array(body.utf8))) ?? .null }

        /// Whether it is a daemon's answer of success, in which this member is true. Others may listen at the address.
        func confirms(_ member: JSONName) -> Bool { status == HTTPStatus.ok.rawValue && json[member] == .bool(true) }
    }

    private static let maxAnswer = 1 << 20

    /// Where the daemon may listen, at least one. The first that accepts a connection is asked.
    let addresses: [SocketAddress]
    /// Seconds for the connection and the whole exchange.
    let timeout: Int

    func get(_ path: AdminPath) throws(SystemError) -> Answer { try exchange("GET \(path.rawValue)", headers: "") }

    /// Requests a reload, and waits for its result.
    func reload() throws(SystemError) -> Answer {
        let header = "\(AdminRouter.reloadHeader.name): \(AdminRouter.reloadHeader.value)\r\n"
        return try exchange("POST \(AdminPath.reload.rawValue)", headers: "\(header)Content-Length: 0\r\n")
    }

    private func exchange(_ methodAndPath: String, headers: String) throws(SystemError) -> Answer {
        let end = ContinuousClock.now + .seconds(timeout)
        let (descriptor, address) = try connected(by: end)
        defer { close(descriptor) }
        let request = Array(
            "\(methodAndPath) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(headers)\r\n".utf8)
        try limit(descriptor, by: end, address)
        guard try checked(SystemCall.send(request, by: descriptor), address) == request.count else {
            throw failure(EMSGSIZE, address)
        }
        guard let answer = Answer(try readToEnd(descriptor, by: end, address), from: address) else {
            throw failure(EPROTO, address)
        }
        return answer
    }

    /// A connection to one of the addresses; throws the first error if there is none.
    private func connected(
        by end: ContinuousClock.Instant
    ) throws(SystemError) -> (descriptor: Int32, address: SocketAddress) {
        var first: SystemError?
        for address in addresses {
            do { return (try connect(to: address, by: end), address) } catch { first = first ?? error }
        }
        throw first ?? SystemError(operation: "admin listener", code: EDESTADDRREQ)
    }

    private func connect(to address: SocketAddress, by end: ContinuousClock.Instant) throws(SystemError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = try checked(socket(address.family, kind, 0), address)
        do throws(SystemError) {
            try limit(descriptor, by: end, address)
            _ = try checked(Int(address.withSockaddr { Glibc.connect(descriptor, $0, $1) }), address)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Limits the next step to the time that is left; throws if there is none.
    private func limit(
        _ descriptor: Int32, by end: ContinuousClock.Instant, _ address: SocketAddress
    ) throws(SystemError) {
        let left = Int((end - .now) / .microseconds(1))
        guard left > 0 else { throw failure(ETIMEDOUT, address) }
        var limit = timeval(tv_sec: left / 1_000_000, tv_usec: left % 1_000_000)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    private func readToEnd(
        _ descriptor: Int32, by end: ContinuousClock.Instant, _ address: SocketAddress
    ) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < AdminClient.maxAnswer {
            try limit(descriptor, by: end, address)
            let received = chunk.withUnsafeMutableBytes { SystemCall.receive(into: $0, from: descriptor) }
            let count = try checked(received, address)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    private func checked<Value: SignedInteger>(
        _ result: Value, _ address: SocketAddress
    ) throws(SystemError) -> Value {
        // A passed time limit is reported as EAGAIN or EINPROGRESS (socket(7), SO_RCVTIMEO).
        guard result >= 0 else {
            throw failure(errno == EAGAIN || errno == EINPROGRESS ? ETIMEDOUT : errno, address)
        }
        return result
    }

    private func failure(_ code: Int32, _ address: SocketAddress) -> SystemError {
        SystemError(operation: "admin listener \(address)", code: code)
    }
}

extension AdminClient.Answer {
    /// Parses an HTTP answer; nil if it is not one, or not whole: a daemon always says how long the body is.
    fileprivate init?(_ bytes: [UInt8], from address: SocketAddress) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        let lengths = lines.dropFirst().compactMap { line -> Substring? in
            let parts = line.split(separator: ":", maxSplits: 1)
            return parts.count == 2 && parts[0].lowercased() == "content-length" ? parts[1] : nil
        }
        let body = bytes[end.upperBound...]
        guard let version = words.first, version.hasPrefix("HTTP/1."), words.count > 1, let status = Int(words[1]),
            lengths.count == 1, lengths[0].filter({ $0 != " " }) == "\(body.count)"
        else { return nil }
        let line = body.prefix { $0 != UInt8(ascii: "\n") }
        self.init(address: address, status: status, body: String(decoding: line, as: UTF8.self))
    }
}
