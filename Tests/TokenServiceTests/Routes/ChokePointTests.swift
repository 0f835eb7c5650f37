@testable import ServiceConfiguration
@testable import CallerAccess
@testable import FleetEngineToken
@testable import HTTPServer
import Testing

@testable import TokenService

/// An unauthenticated client gets no token on any path. The list of paths comes from the program's own tables.
@Suite struct ChokePointTests {
    private let bench: RouteBench

    init() throws {
        let ids = Dictionary(uniqueKeysWithValues: IDName.allCases.map { ($0, AllowedIDs.any) })
        let all = try AccessRule(name: "all", kinds: Set(TokenKind.allCases), ids: ids)
        let authenticators = Authenticators(verifier: nil, apiKeys: try APIKeyTable(parsing: []))
        bench = try RouteBench(
            callers: CallerGate(authenticators: authenticators, policy: try AccessPolicy(rules: [all])))
    }

    /// Every path and query that names a token.
    private static var targets: [String] {
        let formats = [""] + AnswerFormat.allCases.map { "/\($0.rawValue)" }
        let paths = formats.flatMap { format in
            TokenPath.namedKinds.flatMap { ["/token\(format)/\($0.name)", "/token\(format)/\($0.name)/a"] }
        }
        let queries = QueryParameter.spellings.map { "\($0.0)=a" } + ["deliveryVehicleID=a&taskID=b", "taskIDs=a,b"]
        let formatted = AnswerFormat.allCases.flatMap { format in queries.map { "\($0)&format=\(format.rawValue)" } }
        return [ServicePath.token, ServicePath.token + "/"] + paths + (queries + formatted).map { "/token?\($0)" }
    }

    @Test func `without credentials every token request gets 401 and nothing is signed`() throws {
        let client = try bench.connect()
        for method in HTTPMethod.allCases where method.reads {
            for target in Self.targets {
                let answer = try client.ask(method.rawValue, target)
                #expect(answer.status == 401, "\(method) \(target)")
                #expect(answer.fields["www-authenticate"] == #"Bearer realm="token-provider""#)
                #expect(answer.fields["cache-control"] == "no-store")
            }
        }
        #expect(bench.signer.asked == 0)
    }

    @Test func `requests with other methods get 400 or 405 and no token`() throws {
        for method in HTTPMethod.allCases where !method.reads {
            for target in Self.targets {
                let answer = try bench.connect().ask(method.rawValue, target)
                #expect([400, 405].contains(answer.status), "\(method) \(target)")
                #expect(!contains(answer.body, "eyJ"))
            }
        }
        #expect(bench.signer.asked == 0)
    }

    @Test func `public and unknown paths never return a token`() throws {
        for path in OpenPath.allCases.map(\.rawValue) + [
            "/", "/tokens", "/Token", "/healthz/token", "//token", "/%74oken",
        ] {
            for method in HTTPMethod.allCases where method != .connect {
                let answer = try bench.connect().ask(method.rawValue, "\(path)?tripID=a")
                let isOpen = OpenPath(rawValue: path) != nil && method.reads
                #expect((answer.status == 200) == isOpen, "\(method) \(path)")
                #expect(!contains(answer.body, "eyJ"))
            }
        }
        #expect(bench.signer.asked == 0)
    }

    private func contains(_ body: [UInt8], _ text: String) -> Bool {
        String(decoding: body, as: UTF8.self).contains(text)
    }
}
