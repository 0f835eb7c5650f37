import Glibc
import HTTPServer
import SystemFiles
import TokenService

/// Sends one request to the admin listener of a running daemon, with a time limit.
struct AdminClient {
    struct Answer {
        let status: Int
        /// The body without its line feed.
        let body: String
    }

    private static let maxAnswer = 1 << 20

    let address: SocketAddress
    /// Seconds for the connection, and for each step of the exchange.
    let timeout: Int

    func get(_ path: AdminPath) throws(SystemError) -> Answer { try exchange("GET \(path.rawValue)", headers: "") }

    /// Requests a reload, and waits for its result.
    func reload() throws(SystemError) -> Answer {
        let header = "\(ReloadRoute.header.name): \(ReloadRoute.header.value)\r\n"
        return try exchange("POST \(AdminPath.reload.rawValue)", headers: "\(header)Content-Length: 0\r\n")
    }

    private func exchange(_ methodAndPath: String, headers: String) throws(SystemError) -> Answer {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = try checked(socket(address.family, kind, 0))
        defer { close(descriptor) }
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        _ = try checked(Int(address.withSockaddr { connect(descriptor, $0, $1) }))
        let request = Array(
            "\(methodAndPath) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(headers)\r\n".utf8)
        guard try checked(SystemCall.send(request, by: descriptor)) == request.count else {
            throw failure(EMSGSIZE)
        }
        guard let answer = Answer(try readToEnd(descriptor)) else { throw failure(EPROTO) }
        return answer
    }

    private func readToEnd(_ descriptor: Int32) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < AdminClient.maxAnswer {
            let received = chunk.withUnsafeMutableBytes { SystemCall.receive(into: $0, from: descriptor) }
            let count = try checked(received)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    private func checked<Value: SignedInteger>(_ result: Value) throws(SystemError) -> Value {
        // A passed time limit is reported as EAGAIN or EINPROGRESS (socket(7), SO_RCVTIMEO).
        guard result >= 0 else { throw failure(errno == EAGAIN || errno == EINPROGRESS ? ETIMEDOUT : errno) }
        return result
    }

    private func failure(_ code: Int32) -> SystemError {
        SystemError(operation: "admin listener \(address)", code: code)
    }
}

extension AdminClient.Answer {
    /// Parses an HTTP answer; nil if it is not one.
    fileprivate init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let words = text.prefix { $0 != "\r\n" }.split(separator: " ")
        guard let version = words.first, version.hasPrefix("HTTP/1."), words.count > 1, let status = Int(words[1]),
            let end = text.firstRange(of: "\r\n\r\n")
        else { return nil }
        self.init(status: status, body: String(text[end.upperBound...].prefix { $0 != "\n" }))
    }
}
