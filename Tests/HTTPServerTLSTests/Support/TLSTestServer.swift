import TestSupport
import Concurrency
import Glibc

@testable import HTTPServer
@testable import HTTPServerTLS

/// A server on its own ports, one plain and the others with TLS. `/now` is answered at once, `/work` after work,
/// `/large` with 8 MB, `/peer` with the peer's address as the server sees it, `/who` with the names of the client's
/// certificate.
final class TLSTestServer: Sendable {
    let authority: TestAuthority
    let tls: TLSServer
    private let server: Server
    private let collected = Notices()

    init(
        _ authority: TestAuthority? = nil, showing names: [String] = ["server"], tickets: TicketKeys? = nil,
        verifyingBy trust: ClientTrust? = nil, demanding demands: [ClientDemand] = [.none],
        configure: (inout ServerSettings) -> Void = { _ in }
    ) throws {
        signal(SIGPIPE, SIG_IGN)
        let authority = try authority ?? TestAuthority().certify("server")
        self.authority = authority
        let tickets = try tickets ?? TicketKeys()
        let certificates = try names.map { try authority.certificate($0) }
        let tls = try TLSServer(certificates, verifyingBy: trust, tickets: tickets)
        self.tls = tls
        var settings = ServerSettings()
        settings.loops = 1
        configure(&settings)
        let collected = self.collected
        let application = HTTPApplication(
            respond: { request, _ in TLSTestServer.respond(to: request) },
            refuse: { HTTPResponse(status: $0.status, fields: .none, body: Array($0.code.utf8)) },
            notice: { collected.append($0) })
        server = try Server(
            listeningOn: [PlainListener(SocketAddress("127.0.0.1:0"))],
            secured: demands.map { tls.listener(on: try SocketAddress("127.0.0.1:0"), demanding: $0) },
            settings: settings, application: application)
        server.start()
    }

    deinit {
        server.stop()
        server.waitUntilStopped()
    }

    var plainPort: String { Self.port(server.addresses[0]) }
    var port: String { port(0) }
    /// The port of the listener with the demand at this index.
    func port(_ place: Int) -> String { Self.port(server.addresses[1 + place]) }
    /// The notices for the operator.
    var notices: [ServerNotice] { collected.all }

    func drain() { server.drain() }

    private static func port(_ address: SocketAddress) -> String {
        String(address.description.split(separator: ":").last ?? "")
    }

    private static func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        let path = request.withPath { path in String(decoding: path.indices.map { path[$0] }, as: UTF8.self) }
        switch path {
        case "/large": return .now(text([UInt8](repeating: UInt8(ascii: "x"), count: 8_388_608)))
        case "/peer": return .now(text(Array("\(request.peer?.description ?? "none")".utf8)))
        case "/who":
            let who = (request.peerIdentity as? TestIdentity)?.name ?? "anonymous"
            return .now(text(Array(who.utf8)))
        case "/work": return .afterWork { _ in .now(text(Array(path.utf8))) }
        default: return .now(text(Array(path.utf8)))
        }
    }

    private static func text(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: .ok, fields: .none, body: body)
    }

    // MARK: Clients

    /// Runs a client of `client.py` and returns its output.
    func run(_ client: String, _ argument: String = "") throws -> String {
        let command = ["python3", Self.script("client.py"), client, port, authority.path, argument]
        return String(try Child.mustRun(command).dropLast())
    }

    /// The path of a script in this folder.
    static func script(_ name: String) -> String {
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/\(name)"
    }

    /// The command that runs a client of `certified.py` with this version of TLS and the certificate of this name.
    func certified(_ client: String, _ version: String, _ name: String?, on place: Int = 0) -> [String] {
        ["python3", Self.script("certified.py"), client, port(place), authority.path, version]
            + (name.map { [authority.path("\($0).pem")] } ?? [])
    }

    /// Runs such a client and returns its output.
    func run(_ client: String, _ version: String, as name: String?, on place: Int = 0) throws -> String {
        String(try Child.mustRun(certified(client, version, name, on: place)).dropLast())
    }

    /// The output of `openssl s_client` after one request or a failed handshake.
    func connect(_ arguments: [String] = [], sending input: String? = nil) throws -> Outcome {
        let request = "GET /now HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        let command = ["openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", authority.path, "-ign_eof"]
        return try Child.run(command + arguments, input: input ?? request)
    }
}

/// The notices of a server, from several threads.
private final class Notices: Sendable {
    private let notices = Guarded<[ServerNotice]>([])

    func append(_ notice: ServerNotice) { notices.withLock { $0.append(notice) } }

    var all: [ServerNotice] { notices.withLock { $0 } }
}

/// A client's identity in tests: all names of its certificate.
final class TestIdentity: PeerIdentity {
    let name: String

    init(_ certificate: ClientCertificate) {
        let names = (certificate.uris + certificate.dnsNames + certificate.emails).map {
            String(decoding: $0, as: UTF8.self)
        }
        name = ([certificate.subject] + names).joined(separator: " ")
    }
}

extension TestAuthority {
    /// Trusts this authority, with the revocation lists of this name if it is given.
    func trust(revocations name: String? = nil) throws -> ClientTrust {
        try trust(by: bytes("ca.pem"), revocations: name.map { try bytes("\($0).crl") })
    }

    /// Trusts these authorities, with these revocation lists.
    func trust(by authorities: [UInt8], revocations: [UInt8]? = nil) throws -> ClientTrust {
        try ClientTrust(
            authorities: authorities, revocations: revocations,
            source: ClientTrust.Source(authorities: "ca.pem", revocations: revocations.map { _ in "clients.crl" })
        ) { TestIdentity($0) }
    }

    /// An issued certificate, read as a server reads it.
    func certificate(_ name: String) throws -> ServerCertificate {
        try ServerCertificate(
            chain: bytes("\(name).pem"), key: bytes("\(name).key"),
            source: ServerCertificate.Source(certificate: "\(name).pem", key: "\(name).key"))
    }
}
