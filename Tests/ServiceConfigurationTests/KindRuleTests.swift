import FleetEngineToken
import Testing

@testable import ServiceConfiguration

@Suite struct KindRuleTests {
    private func served(_ yaml: String, flags: ConfigurationFlags = ConfigurationFlags()) throws -> [TokenKind] {
        let configuration = try resolve(yaml, flags: flags).configuration
        return TokenKind.allCases.filter { configuration.keyFile(of: $0) != nil }
    }

    @Test func `common credentials serve every kind with specific ids and no other`() throws {
        #expect(try served("credentials: /k.json") == TokenKind.ofSpecificIDs)
    }

    @Test func `a list limits which kinds common credentials serve`() throws {
        #expect(try served("credentials: /k.json\nkinds: {enabled: [driver, task_batch]}") == [.driver, .taskBatch])
        let flags = ConfigurationFlags(kinds: ["driver,consumer", "delivery_consumer"])
        #expect(try served("credentials: /k.json", flags: flags) == [.consumer, .driver, .deliveryConsumer])
    }

    @Test func `a wildcard kind needs its own key or must be listed`() throws {
        #expect(try served("kinds: {server: {credentials: /s.json}}") == [.server])
        #expect(try served("credentials: /k.json\nkinds: {enabled: [fleet_reader]}") == [.fleetReader])
    }

    @Test func `a kind's own key overrides the common one`() throws {
        let yaml = "credentials: /k.json\nkinds: {driver: {credentials: /d.json}}"
        let configuration = try resolve(yaml).configuration
        #expect(configuration.keyFile(of: .driver) == "/d.json")
        #expect(configuration.keyFile(of: .consumer) == "/k.json")
        #expect(configuration.keyFile(of: .server) == nil)
    }

    @Test func `a kind inherits the common settings that it does not set`() throws {
        let yaml = """
            credentials: /k.json
            token: {lifetime: 50m, client_margin: 30s}
            kinds: {driver: {lifetime: 20m, backdate: 0s}, consumer: {audience: "https://a.example/", client_margin: 2m}}
            """
        let configuration = try resolve(yaml).configuration
        let driver = configuration.tokenSettings(of: .driver)
        #expect((driver.lifetime, driver.backdate, driver.clientMargin) == (1200, 0, 30))
        #expect(driver.audience == TokenPolicy.fleetEngineAudience)
        let consumer = configuration.tokenSettings(of: .consumer)
        #expect((consumer.lifetime, consumer.backdate, consumer.clientMargin) == (3000, 300, 120))
        #expect(consumer.audience == "https://a.example/")
        #expect(configuration.tokenSettings(of: .server) == configuration.token)
    }

    @Test func `a listed kind without a key is refused`() {
        #expect(
            refusal(of: "kinds: {enabled: [driver, consumer], driver: {credentials: /d.json}}")
                == "token-provider.yaml:1:9: kinds.enabled: \"consumer\" has no key; "
                + "expected kinds.consumer.credentials, or credentials for all kinds")
    }

    @Test func `an unknown kind is refused with the list of kinds`() {
        let flags = ConfigurationFlags(kinds: ["rider"])
        #expect(
            refusal(flags: flags, environment: withCredentials)
                == "--kinds: \"rider\" is unknown; expected one of consumer, driver, untrusted_delivery_driver, "
                + "trusted_delivery_driver, delivery_consumer, task_batch, server, delivery_server, "
                + "delivery_fleet_reader, fleet_reader")
    }

    // An empty list must never mean all kinds.
    @Test(arguments: ["", ",", "driver,", ",driver", "driver,,consumer"])
    func `an empty word in the list of kinds is refused`(words: String) {
        let sentences = refusal(flags: ConfigurationFlags(kinds: [words]), environment: withCredentials)
        #expect(sentences.hasPrefix("--kinds: \"\" is unknown; expected one of consumer, driver, "))
    }

    @Test func `an unused key gives a warning`() throws {
        let yaml = "credentials: /k.json\nkinds: {enabled: [driver], consumer: {credentials: /c.json}}"
        #expect(
            try resolve(yaml).warnings == [
                "token-provider.yaml:2:39: kinds.consumer.credentials: this key signs nothing, because kinds.enabled "
                    + "does not name the kind; expected it there, or no such key"
            ])
        let idle = "credentials: /k.json\nkinds: {enabled: [driver], driver: {credentials: /d.json}}"
        #expect(
            try resolve(idle).warnings == [
                "token-provider.yaml:1:1: credentials: this key signs nothing, because every kind that is served has "
                    + "its own; expected no such key"
            ])
    }

    @Test func `a kind's short lifetime or different audience gives a warning`() throws {
        let yaml = """
            credentials: /k.json
            cache: {reuse_fraction: 0.1}
            kinds: {driver: {lifetime: 659s}, consumer: {audience: "https://fleetengine.googleapis.com"}}
            """
        let warnings = try resolve(yaml).warnings
        #expect(warnings.count == 2)
        #expect(warnings.contains { $0.hasPrefix("token-provider.yaml:3:18: kinds.driver.lifetime: 659s is short") })
        #expect(warnings.contains { $0.hasPrefix("token-provider.yaml:3:46: kinds.consumer.audience: this is not") })
    }
}
