import TestSupport
import Foundation
import Glibc

@testable import HTTPServer
@testable import TokenService

/// A blocking client of one connection; a wait that takes too long throws.
final class RouteClient {
    struct Failure: Error { let what: String }

    /// An answer as it was read.
    struct Answer {
        let status: Int
        let fields: [String: String]
        let body: [UInt8]

        func json() throws -> [String: Any] { try object(body) }
    }

    private let descriptor: Int32
    private var received: [UInt8] = []

    init(_ address: SocketAddress) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let number = descriptor
        guard address.withSockaddr({ connect(number, $0, $1) }) == 0 else { throw Failure(what: "connect: \(errno)") }
    }

    deinit { close(descriptor) }

    func send(_ method: String = "GET", _ target: String, fields: [String: String] = [:]) throws {
        let lines = fields.map { "\($0): \($1)\r\n" }.joined()
        let request = Array("\(method) \(target) HTTP/1.1\r\nHost: test\r\n\(lines)\r\n".utf8)
        let count = request.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count == request.count else { throw Failure(what: "send: \(errno)") }
    }

    func ask(_ method: String = "GET", _ target: String, fields: [String: String] = [:]) throws -> Answer {
        try send(method, target, fields: fields)
        return try answer(toHead: method == "HEAD")
    }

    func answer(toHead: Bool = false) throws -> Answer {
        let end = Array("\r\n\r\n".utf8)
        var head: Range<Int>?
        while head == nil {
            head = received.firstRange(of: end)
            if head == nil { try receive() }
        }
        let lines = String(decoding: received[..<(head?.lowerBound ?? 0)], as: UTF8.self)
            .components(separatedBy: "\r\n")
        received.removeFirst(head?.upperBound ?? 0)
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw Failure(what: "no header: \(line)") }
            fields[line[..<colon].lowercased()] = String(line[line.index(colon, offsetBy: 2)...])
        }
        let length = toHead ? 0 : Int(fields["content-length"] ?? "") ?? 0
        while received.count < length { try receive() }
        defer { received.removeFirst(length) }
        let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Answer(status: status, fields: fields, body: Array(received[..<length]))
    }

    /// Waits until one of the clients has something to read, and returns its index.
    static func firstReadable(of clients: [RouteClient]) throws -> Int {
        var entries = clients.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        guard poll(&entries, nfds_t(entries.count), Patience.milliseconds) > 0,
            let index = entries.firstIndex(where: { $0.revents != 0 })
        else { throw Failure(what: "no client was answered") }
        return index
    }

    private func receive() throws {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Patience.milliseconds) > 0 else { throw Failure(what: "waited too long for an answer") }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw Failure(what: "the connection ended") }
        received += buffer[..<count]
    }
}
