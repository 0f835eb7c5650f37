import Foundation
import TestSupport

/// A daemon with everything that has metrics: callers with tokens (whose keys are fetched), expiring API keys and
/// certificates; https with an OCSP response, HTTP/2, a signing process and an audit log.
struct MonitoredDaemon {
    let files: CallerFiles
    let provider: KeyServer
    let apiKey: String
    let daemon: DaemonProcess
    let admin: String
    let authority: TestAuthority

    init() throws {
        files = try CallerFiles()
        provider = try KeyServer()
        apiKey = try files.apiKey("dispatch", ["--expires", "2031-01-31T00:00:00Z"])
        authority = try TestAuthority().certify("server")
        try authority.listRevoked("clients")
        try authority.staple(for: "server")
        for name in ["server.pem", "server.key", "server.der", "ca.pem", "clients.crl"] {
            try Data(authority.bytes(name)).write(to: files.scratch.folder.appending(path: name))
            chmod(files.scratch.path(name), 0o600)
        }
        // Beside the key, the process that serves could not read it.
        let log = files.scratch.folder.appending(path: "log")
        try FileManager.default.createDirectory(at: log, withIntermediateDirectories: false)
        let configuration = try files.configuration(
            Self.sections,
            issuer: """
                issuers:
                  - {issuer: "\(provider.url)", audiences: [token-provider], algorithms: [RS256], keys: "\(provider.url)/jwks"}
                """)
        daemon = try DaemonProcess(
            ["serve", "--config", configuration], environment: DaemonProcess.withAdmin, scratch: files.scratch)
        admin = try daemon.adminURL()
    }

    private static let sections = """
        tls:
          listen: 127.0.0.1:0
          certificates: [{certificate: server.pem, key: server.key, ocsp_response: server.der}]
          client_certificates: optional
          client_ca_file: ca.pem
          client_crl_file: clients.crl
        http2: {prior_knowledge: true}
        signing: {process: separate}
        audit: {output: file, file: log/audit}
        limits: {failure_rate: 0.001, failure_burst: 4, principal_rate: 0.001, principal_burst: 6}
        proxies: {trusted: [127.0.0.1]}
        rules:
          - {name: everyone, kinds: [consumer], ids: {tripID: [trip-1, trip-2]}}
        """
}
