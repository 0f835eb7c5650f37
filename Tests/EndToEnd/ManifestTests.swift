import TestSupport
import Foundation
import Testing

/// The manifests for Kubernetes and Cloud Run: the configuration, probes and scrape paths that they give the daemon.
@Suite(.blocking) struct ManifestTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "config")

    let scratch: Scratch
    let key: ServiceAccountFile
    private let deployment: String

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
        deployment = try Self.text("kubernetes/base/deployment.yaml")
    }

    @Test(arguments: [false, true])
    func `a pod's configuration serves, and its probe and scrape paths answer`(asksProvider: Bool) throws {
        let provider = try KeyServer()
        let text = try configuration("kubernetes", asking: asksProvider ? provider.url : nil)
        let daemon = try DaemonProcess(
            ["serve", "--config", scratch.write("token-provider.yaml", text)],
            environment: [
                "TOKEN_PROVIDER_LISTEN": "127.0.0.1:0", "TOKEN_PROVIDER_ADMIN_LISTEN": "127.0.0.1:0",
                "TOKEN_PROVIDER_CREDENTIALS": key.path,
                // With the audit log on standard output, the daemon would print its addresses on standard error.
                "TOKEN_PROVIDER_AUDIT_OUTPUT": "file", "TOKEN_PROVIDER_AUDIT_FILE": scratch.path("audit"),
            ], scratch: scratch)
        let asked = deployment.matches(of: /httpGet: {path: ([^,]+), port: admin}/).map { String($0.1) }
        // A pod that waits for keys is not ready, but must not be restarted for that.
        #expect(asked == ["/healthz", "/readyz", "/healthz"])
        let monitor = try Self.text("kubernetes/prometheus-operator/servicemonitor.yaml")
        let scraped = try #require(monitor.firstMatch(of: /port: admin, path: ([^,]+),/)).1
        let admin = try daemon.adminURL()
        try Patience.wait(for: "keys") { try Curl("\(admin)/readyz").status == 200 }
        for path in asked + [String(scraped)] { #expect(try Curl("\(admin)\(path)").status == 200, "\(path)") }
        #expect(try Curl("\(daemon.url)/token?vehicleID=a").status == 401)
        #expect(try daemon.end() == 0)
    }

    @Test(arguments: ["kubernetes/gke", "cloud-run"])
    func `a configuration without a key file is ready on its platform`(place: String) throws {
        let (provider, google) = (try KeyServer(), try LoopbackGoogle(in: scratch))
        let text = try configuration(place, asking: provider.url)
        let daemon = try DaemonProcess(
            ["serve", "--config", scratch.write("token-provider.yaml", text + google.settings)],
            environment: [
                "TOKEN_PROVIDER_LISTEN": "127.0.0.1:0", "TOKEN_PROVIDER_ADMIN_LISTEN": "127.0.0.1:0",
                "TOKEN_PROVIDER_AUDIT_OUTPUT": "file", "TOKEN_PROVIDER_AUDIT_FILE": scratch.path("audit"),
                "GOOGLE_APPLICATION_CREDENTIALS": "", "HOME": scratch.path("home"), "GCE_METADATA_HOST": google.host,
            ], scratch: scratch)
        let admin = try daemon.adminURL()
        try Patience.wait(for: "keys") { try Curl("\(admin)/readyz").status == 200 }
        #expect(try google.requests("service-accounts/default/token") == 1)
        #expect(try Curl("\(daemon.url)/healthz").status == 200)
        #expect(try Curl("\(daemon.url)/token?vehicleID=a").status == 401)
        guard place == "cloud-run" else { return }
        let answer = try Curl("\(daemon.url)/token?vehicleID=a", ["--http2-prior-knowledge"])
        #expect((answer.version, answer.status) == ("2", 401))
    }

    @Test func `the instances of Cloud Run share the quota`() throws {
        let service = try Self.text("cloud-run/service.yaml")
        let instances = try #require(service.firstMatch(of: /maxScale: "(\d+)"/)).1
        // An update runs two revisions.
        #expect(try 2 * #require(Double(instances)) * Self.quotaShare("cloud-run") <= 1)
        let probes = service.matches(of: /httpGet: {path: ([^,]+), port: 8080}/).map { String($0.1) }
        #expect(probes == ["/healthz", "/healthz"])
        #expect(service.contains("{name: h2c, containerPort: 8080}"))
    }

    @Test func `the pods of an update on GKE share the quota`() throws {
        let scaler = try Self.text("kubernetes/base/horizontalpodautoscaler.yaml")
        let pods = try #require(scaler.firstMatch(of: /maxReplicas: (\d+)/)).1
        let more = try #require(deployment.firstMatch(of: /maxSurge: (\d+)/)).1
        let most = try #require(Double(pods)) + #require(Double(more))
        #expect(try most * Self.quotaShare("kubernetes/gke") <= 1)
    }

    private static func quotaShare(_ place: String) throws -> Double {
        let configuration = try text("\(place)/token-provider.yaml")
        let share = try #require(configuration.firstMatch(of: /quota_share: ([\d.]+)/))
        return try #require(Double(share.1))
    }

    @Test func `a rolling update loses no request and stalls while keys are unavailable`() throws {
        func number(_ pattern: Regex<(Substring, Substring)>) throws -> String {
            String(try #require(deployment.firstMatch(of: pattern)).1)
        }
        #expect(deployment.contains("rollingUpdate: {maxSurge: 1, maxUnavailable: 0}"))
        let provider = "https://id.example.com"
        let shipped = try scratch.write("shipped.yaml", configuration("kubernetes", asking: provider))
        let facts = try PythonClients.runProvider(
            "rolling_update.py",
            [
                Program.daemon, scratch.folder.path, shipped, key.path,
                number(/preStop:[^{]*sleep: {seconds: (\d+)}/), number(/terminationGracePeriodSeconds: (\d+)/),
                number(/startupProbe:\s+httpGet: {path: ([^,]+),/),
                number(/readinessProbe:\s+httpGet: {path: ([^,]+),/),
            ])
        for error in ["lost", "refused", "unreachable", "answered_otherwise"] {
            #expect(facts[error] as? Int == 0, "\(facts)")
        }
        #expect(try #require(facts["answered"] as? Int) > 3000)
        // Terminating pods still received new connections, which is why preStop waits.
        #expect(try #require(facts["late"] as? Int) > 0)
        #expect(try #require(facts["stuck"] as? String).contains("keys were not fetched yet"))
        // Pods that already had keys still serve.
        #expect(facts["ready"] as? [Int] == [200, 200])
    }

    /// The shipped configuration with its API keys here. With a provider, its lines are not comments.
    private func configuration(_ place: String, asking provider: String?) throws -> String {
        var text = try Self.text("\(place)/token-provider.yaml")
        let keys = "/etc/token-provider/config/api-keys"
        if text.contains(keys) {
            text.replace(keys, with: try scratch.write("api-keys", Self.text("\(place)/api-keys")))
        }
        guard let provider else { return text }
        return text.replacing(/(?m)^#(?=\S|  )/, with: "").replacing("https://id.example.com", with: provider)
    }

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
}
