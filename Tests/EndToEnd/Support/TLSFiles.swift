import Foundation
import TestSupport
import Testing

/// The files of an operator who serves https: a signing key, certificates of an authority, and a configuration.
final class TLSFiles {
    /// The first certificate, as a configuration names it.
    static let certificate = "{certificate: server.pem, key: server.key}"

    let authority: TestAuthority
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        authority = try TestAuthority().certify("server")
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
        for name in ["server.pem", "server.key"] { try install(name) }
    }

    /// Replaces a file that the configuration names by one of the authority's, by a rename, as certificate managers do.
    func install(_ name: String, as place: String? = nil, permissions: Int = 0o600) throws {
        try scratch.write("new", "", permissions: permissions)
        try Data(authority.bytes(name)).write(to: URL(filePath: scratch.path("new")))
        try #require(rename(scratch.path("new"), scratch.path(place ?? name)) == 0)
    }

    /// Writes a configuration with these certificates, and returns its path.
    func configuration(_ certificates: String = TLSFiles.certificate) throws -> String {
        try scratch.write(
            "token-provider.yaml",
            """
            listen: 127.0.0.1:0
            credentials: key.json
            callers: none
            tls: {listen: 127.0.0.1:0, certificates: [\(certificates)]}

            """)
    }

    /// Starts a daemon with such a configuration; the URL is its https address.
    func daemon(
        _ environment: [String: String] = [:], certificates: String = TLSFiles.certificate
    ) throws -> (process: DaemonProcess, url: String) {
        let daemon = try DaemonProcess(
            ["serve", "--config", configuration(certificates)], environment: environment, scratch: scratch)
        return (daemon, try daemon.secureURL())
    }

    /// Requests a token as a client that trusts only the authority.
    func ask(_ url: String, _ arguments: [String] = []) throws -> Curl {
        try Curl(url + "/token?tripID=trip-1", ["--http1.1", "--cacert", authority.path] + arguments)
    }
}

extension DaemonProcess {
    /// The base URL for https, with a host name that the certificates contain.
    func secureURL() throws -> String {
        let address = try #require(said.firstMatch(of: /listening on https:\/\/127.0.0.1:(\d+)\n/), "said: \(said)")
        return "https://localhost:\(address.1)"
    }

    /// The port for https.
    func securePort() throws -> String { try String(#require(secureURL().split(separator: ":").last)) }
}
