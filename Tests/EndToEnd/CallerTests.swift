@testable import TokenService
import Foundation
import TestSupport
import Testing

@testable import TokenProvider

/// Authentication: no route, order of requests or cache gives a token to a caller without matching credentials.
@Suite(.blocking, .tags(.addressSanitizer)) struct CallerTests {
    static let rules = """
        rules:
          - {name: riders, kinds: [consumer], issuers: ["https://id.example.com"], ids: {tripID: {claim: trips}}}
          - name: dispatch
            kinds:
              - consumer
              - driver
              - untrusted_delivery_driver
              - trusted_delivery_driver
              - delivery_consumer
              - task_batch
              - server
              - delivery_server
              - delivery_fleet_reader
              - fleet_reader
            api_keys: [dispatch]
            ids: {tripID: any, vehicleID: any, deliveryVehicleID: any, trackingID: any, taskID: any, taskIDs: any}
        limits: {principal_rate: 0, failure_rate: 0}
        """

    let files: CallerFiles

    init() throws { files = try CallerFiles() }

    @Test func `every route, kind and format refuses missing or wrong credentials with 401`() throws {
        let (key, expired) = (try files.apiKey("dispatch"), try files.token(["exp": 1]))
        let daemon = try files.daemon(Self.rules)
        let formats = AnswerFormat.allCases.map(\.rawValue).joined(separator: ",")
        let wildcards = TokenPath.namedKinds.filter(\.kind.isWildcard).map(\.name).joined(separator: ",")
        let facts = try PythonClients.run(
            "choke_point.py", ["127.0.0.1", daemon.port, key, expired, formats, wildcards])
        #expect(try #require(facts["targets"] as? Int) > 100)
        #expect(try #require(facts["refused"] as? Int) > 3000)
    }

    @Test func `a cached token never reaches another caller, in sequence or in parallel`() throws {
        _ = try files.apiKey("dispatch")
        let trips = (0..<200).map { "trip-\($0)" }
        let (mine, others) = (try files.token(["trips": trips]), try files.token(["sub": "user-2", "trips": ["x"]]))
        let daemon = try files.daemon(Self.rules)
        let facts = try PythonClients.run("caller_isolation.py", ["127.0.0.1", daemon.port, mine, others])
        #expect(facts["orders"] as? Int == 24)
        #expect(try #require(facts["at_once"] as? Int) >= 3000)
    }

    // MARK: API keys

    @Test func `an API key is accepted as bearer token or header, not both`() throws {
        let key = try files.apiKey("dispatch")
        let token = try files.token(["trips": ["trip-1"]])
        let daemon = try files.daemon(Self.rules)
        for (fields, status) in [
            (["Authorization: Bearer \(key)"], 200), (["authorization: bEARER   \(key)"], 200),
            (["x-api-key: \(key)"], 200),
            (["X-API-Key: \(key)", "Authorization: Bearer \(key)"], 401),
            (["X-API-Key: \(key)", "Authorization: Bearer \(token)"], 401),
            (["X-API-Key: \(key)", "Authorization: Basic dXNlcjpwYXNz"], 401),
            (["X-API-Key: \(key)", "X-API-Key: \(key)"], 401), (["X-API-Key: \(token)"], 401),
            (["Authorization: Bearer \(key)", "Authorization: Bearer \(key)"], 401), (["X-Api-Token: \(key)"], 401),
            (["X-API-Key: \(key)", "Authorization: Bearer \(key)", "Authorization: Bearer \(key)"], 401),
            (["Authorization: \(key)"], 401), (["Authorization: Basic \(key)"], 401),
            (["Authorization: Bearer \(key.dropLast())"], 401), (["Authorization: Bearer \(key)A"], 401),
            (["Authorization: Bearer \(key.uppercased())"], 401), (["Cookie: Authorization=Bearer \(key)"], 401),
        ] {
            let answer = try Curl("\(daemon.url)/token?tripID=trip-1", fields.flatMap { ["-H", $0] })
            #expect(answer.status == status, "\(fields)")
        }
    }

    @Test func `an API key works until it expires and only for its rules`() throws {
        let expired = try files.apiKey("dispatch", field: "expires=2020-01-01T00:00:00Z")
        let narrow = try files.apiKey("narrow", ["--rule", "own"])
        let whole = try files.apiKey("whole")
        let daemon = try files.daemon(
            """
            rules:
              - {name: own, kinds: [consumer], ids: {tripID: any}}
              - {name: other, kinds: [driver], ids: {vehicleID: any}}
            """)
        for (key, target, status) in [
            (expired, "tripID", 401), (narrow, "tripID", 200), (narrow, "vehicleID", 403), (whole, "tripID", 200),
            (whole, "vehicleID", 200),
        ] {
            #expect(try Curl("\(daemon.url)/token?\(target)=a", bearer: key).status == status, "\(target)")
        }
        #expect(try daemon.end() == 0)
        #expect(try daemon.log().contains("the API key dispatch expired at 2020-01-01T00:00:00Z"))
    }

    @Test func `the access log names the rule that allowed each token`() throws {
        let key = try files.apiKey("dispatch")
        let token = try files.token(["trips": ["trip-1"]])
        let daemon = try files.daemon(Self.rules)
        for credentials in [key, token, token] {
            #expect(try Curl("\(daemon.url)/token?tripID=trip-1", bearer: credentials).status == 200)
        }
        #expect(try Curl("\(daemon.url)/token?tripID=trip-2", bearer: token).status == 403)
        #expect(try daemon.end() == 0)
        let lines = try daemon.log().split(separator: "\n").filter { $0.contains(" info request ") }
        let rules = lines.map { line in line.firstMatch(of: /rule=(\S+)$/).map { String($0.1) } }
        #expect(rules == ["dispatch", "riders", "riders", nil])
    }

    @Test func `without rules no caller gets a token, and the log says so`() throws {
        let key = try files.apiKey("dispatch")
        let daemon = try files.daemon("limits: {principal_rate: 0}")
        for target in ["?tripID=a", "/server", "/driver/a"] {
            #expect(try Curl("\(daemon.url)/token\(target)", bearer: key).status == 403)
        }
        #expect(try daemon.end() == 0)
        #expect(try daemon.log().contains("no caller gets a token, because rules is empty; expected rules"))
    }
}
