import Testing

@testable import ServiceConfiguration

@Suite struct EnvironmentNamesTests {
    @Test(arguments: [
        ("TOKEN_PROVIDER_SERVICE_HOST", "10.0.0.11"),
        ("TOKEN_PROVIDER_SERVICE_PORT", "8080"),
        ("TOKEN_PROVIDER_SERVICE_PORT_HTTP", "8080"),
        ("TOKEN_PROVIDER_PORT", "tcp://10.0.0.11:8080"),
        ("TOKEN_PROVIDER_PORT_8080_TCP", "tcp://10.0.0.11:8080"),
        ("TOKEN_PROVIDER_PORT_8080_TCP_PROTO", "tcp"),
        ("TOKEN_PROVIDER_PORT_8080_TCP_PORT", "8080"),
        ("TOKEN_PROVIDER_PORT_8080_TCP_ADDR", "10.0.0.11"),
        ("TOKEN_PROVIDER_METRICS_SERVICE_HOST", "10.0.0.12"),
        ("TOKEN_PROVIDER_METRICS_PORT_9090_UDP_ADDR", "10.0.0.12"),
    ])
    func `Kubernetes variables for a service of this name are accepted`(name: String, value: String) {
        #expect(EnvironmentNames.isServiceLink(name, value: value))
        #expect(refusal(environment: withCredentials.merging([name: value]) { $1 }) == "accepted")
    }

    @Test(arguments: [
        ("TOKEN_PROVIDER_PORT", "8080"), ("TOKEN_PROVIDER_HOST", "x"), ("TOKEN_PROVIDER_PORT_HTTP_TCP", "x"),
        ("TOKEN_PROVIDER_8080_TCP", "x"), ("TOKEN_PROVIDER_SERVICE", "x"),
    ])
    func `other names are not service variables`(name: String, value: String) {
        #expect(!EnvironmentNames.isServiceLink(name, value: value))
    }

    @Test func `no setting's variable looks like a service variable`() {
        for setting in SettingsTable.all {
            #expect(!EnvironmentNames.isServiceLink(setting.environmentName, value: "tcp://10.0.0.11:8080"))
        }
    }
}
