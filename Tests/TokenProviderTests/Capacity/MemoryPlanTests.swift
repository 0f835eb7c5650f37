import CallerAccess
import Foundation
import Testing

@testable import ServiceConfiguration
@testable import TokenProvider

/// What the defaults are on machines of every size, and what is reported of them.
struct MemoryPlanTests {
    private static let defaults = Configuration.read(file: nil, flags: ConfigurationFlags(), environment: [:]).values

    private func fitted(_ mebibytes: Int, _ environment: [String: String] = [:]) -> ConfigurationResolver {
        Configuration.read(file: nil, flags: ConfigurationFlags(), environment: environment)
            .fitting(MemoryLimit(bytes: mebibytes << 20, source: .controlGroup))
    }

    private func plan(_ mebibytes: Int, _ environment: [String: String] = [:]) -> MemoryPlan {
        let values = fitted(mebibytes, environment).values
        return MemoryPlan(values, within: MemoryLimit(bytes: mebibytes << 20, source: .controlGroup))
    }

    @Test(arguments: [64, 96, 128, 192, 256, 384, 512, 1024, 4096, 16_384, 1 << 20])
    func `the defaults fit every limit without a warning`(mebibytes: Int) {
        for environment in [[:], ["TOKEN_PROVIDER_FORWARD_AUTH_URL": "http://127.0.0.1/"]] {
            #expect(plan(mebibytes, environment).warnings == [])
            #expect(plan(mebibytes, environment).sum <= mebibytes << 20)
        }
    }

    @Test(arguments: [(256, 104), (512, 256), (2048, 1024), (1 << 20, 4096)])
    func `of the shipped limits on only clients' memory depends`(mebibytes: Int, clients: Int) {
        let values = fitted(mebibytes).values
        #expect(values.limits.memory == clients << 20)
        #expect(values.cache == Self.defaults.cache)
        #expect(values.http == Self.defaults.http)
        #expect(values.limits.maxEntries == Self.defaults.limits.maxEntries)
    }

    @Test(arguments: [64, 96, 128, 256])
    func `the defaults fit beside the cache of callers' tokens`(mebibytes: Int) throws {
        let limit = MemoryLimit(bytes: mebibytes << 20, source: .controlGroup)
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yaml")
        try Data("issuers: [{issuer: 'https://a.test', audiences: [a], algorithms: [RS256], keys: k.json}]".utf8).write(
            to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let resolver = Configuration.read(file: file.path, flags: ConfigurationFlags(), environment: [:]).fitting(limit)
        #expect(resolver.values.issuers.count == 1)
        #expect(MemoryPlan(resolver.values, within: limit).sum <= limit.bytes)
    }

    @Test func `tokens of callers are cached beside those for Fleet Engine`() throws {
        var values = fitted(512).values
        let without = MemoryPlan(values, within: MemoryLimit(bytes: 512 << 20, source: .controlGroup)).sum
        let issuer = try IssuerPolicy(issuer: "https://id.example.com", audiences: ["a"], algorithms: [.rs256])
        let keys = Configuration.Issuer.KeySource.file("keys.json")
        values.issuers = [Configuration.Issuer(policy: issuer, keys: keys, keepKeys: 0)]
        let with = MemoryPlan(values, within: MemoryLimit(bytes: 512 << 20, source: .controlGroup)).sum
        #expect(with == without + BearerTokenVerifier.usualCacheBytes)
    }

    @Test func `in little memory every default is less`() {
        let (values, defaults) = (fitted(64).values, Self.defaults)
        #expect(values.cache.maxBytes < defaults.cache.maxBytes)
        #expect(values.limits.maxEntries < defaults.limits.maxEntries)
        #expect(values.http.maxConnections < defaults.http.maxConnections)
    }

    @Test func `given settings stay, with a warning where they do not fit`() {
        let given = ["TOKEN_PROVIDER_CACHE_MAX_BYTES": "64MiB", "TOKEN_PROVIDER_HTTP_MAX_CONNECTIONS": "16384"]
        let plan = plan(64, given)
        #expect(plan.warnings.count == 2)
        let sum = "the cgroup's limit is 64MiB; expected less for limits.memory (8MiB)"
        #expect(plan.warnings.first?.contains(sum) == true)
        #expect(plan.warnings.last?.contains("limits.memory (8MiB) suffices for 1365 idle connections") == true)
    }
}
