import TokenService
import Glibc
import HTTPServer

/// Asks the admin listener of a running daemon, in one exchange that takes a limited time.
struct AdminClient {
    /// What it answered.
    struct Answer {
        let status: Int
        /// The body, without the line's end.
        let body: String
    }

    private static let maxAnswer = 1 << 20

    /// Where it listens.
    let address: SocketAddress
    /// Seconds for the connection, and for each step of the exchange.
    let patience: Int

    /// The answer to a GET of the path.
    func get(_ path: AdminPath) throws(SystemError) -> Answer { try ask("GET \(path.rawValue)", fields: "") }

    /// The answer to a POST that asks for a reload, for which it may have to wait for as long as each step may take.
    func reload() throws(SystemError) -> Answer {
        let field = "\(ReloadRoute.field.name): \(ReloadRoute.field.value)\r\n"
        return try ask("POST \(AdminPath.reload.rawValue)", fields: "\(field)Content-Length: 0\r\n")
    }

    private func ask(_ methodAndPath: String, fields: String) throws(SystemError) -> Answer {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = try checked(socket(address.family, kind, 0))
        defer { close(descriptor) }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        _ = try checked(Int(address.withSockaddr { connect(descriptor, $0, $1) }))
        let request = Array(
            "\(methodAndPath) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(fields)\r\n".utf8)
        guard try checked(send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))) == request.count else {
            throw failure(EMSGSIZE)
        }
        guard let answer = Answer(try readToEnd(descriptor)) else { throw failure(EPROTO) }
        return answer
    }

    private func readToEnd(_ descriptor: Int32) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < AdminClient.maxAnswer {
            let count = try checked(recv(descriptor, &chunk, chunk.count, 0))
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    private func checked<Value: SignedInteger>(_ result: Value) throws(SystemError) -> Value {
        // A time limit that has passed is told as if the call would block.
        guard result >= 0 else { throw failure(errno == EAGAIN || errno == EINPROGRESS ? ETIMEDOUT : errno) }
        return result
    }

    private func failure(_ code: Int32) -> SystemError { SystemError(operation: "ask \(address)", code: code) }
}

extension AdminClient.Answer {
    /// Takes an answer with its head apart; nil if it is none.
    fileprivate init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let words = text.prefix { $0 != "\r\n" }.split(separator: " ")
        guard let version = words.first, version.hasPrefix("HTTP/1."), words.count > 1, let status = Int(words[1]),
            let end = text.firstRange(of: "\r\n\r\n")
        else { return nil }
        self.init(status: status, body: String(text[end.upperBound...].prefix { $0 != "\n" }))
    }
}
