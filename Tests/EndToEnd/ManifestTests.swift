import Foundation
import Testing

/// What the manifests of Kubernetes give the daemon, and ask of it.
@Suite struct ManifestTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "config/kubernetes")

    @Test func `a pod's configuration serves, and what its probes and Prometheus ask is answered`() throws {
        let scratch = try Scratch()
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try DaemonProcess(
            ["serve", "--config", Self.folder.appending(path: "token-provider.yaml").path],
            environment: [
                "TOKEN_PROVIDER_LISTEN": "127.0.0.1:0", "TOKEN_PROVIDER_ADMIN_LISTEN": "127.0.0.1:0",
                "TOKEN_PROVIDER_CREDENTIALS": key.path,
                // With the trail on standard output the addresses are told elsewhere.
                "TOKEN_PROVIDER_AUDIT_OUTPUT": "file", "TOKEN_PROVIDER_AUDIT_FILE": scratch.path("audit"),
            ], scratch: scratch)
        let deployment = try text("deployment.yaml")
        let asked = deployment.matches(of: /httpGet: {path: ([^,]+), port: admin}/).map { String($0.1) }
        #expect(asked == ["/readyz", "/readyz", "/healthz"])
        let scraped = try #require(try text("servicemonitor.yaml").firstMatch(of: /port: admin, path: ([^,]+),/)).1
        for path in asked + [String(scraped)] {
            #expect(try Curl("\(daemon.adminURL())\(path)").status == 200, "\(path)")
        }
        #expect(try Curl("\(daemon.url)/token?vehicleID=a").status == 401)
        #expect(try daemon.end() == 0)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }
}
