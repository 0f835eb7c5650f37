import TestSupport
import Foundation
import Testing

/// Every form of a rule: what the real binary answers, and what `explain` predicts.
@Suite(.blocking, .tags(.addressSanitizer)) struct RuleTests {
    static let rules = """
        rules:
          - {name: any, kinds: [consumer], claims: [{claim: role, equals: any}], ids: {tripID: any}}
          - {name: listed, kinds: [consumer, driver], claims: [{claim: role, equals: listed}],
             ids: {tripID: [t-1, t-2], vehicleID: ["7"]}}
          - {name: text, kinds: [driver], claims: [{claim: role, equals: text}], ids: {vehicleID: {claim: vehicle_id}}}
          - {name: array, kinds: [consumer], claims: [{claim: role, equals: array}], ids: {tripID: {claim: trips}}}
          - {name: nested, kinds: [driver], claims: [{claim: app.role, equals: nested}],
             ids: {vehicleID: {claim: app.fleet.cars}}}
          - {name: dotted, kinds: [consumer], claims: [{claim: ["https://x.example/role"], equals: dotted}],
             ids: {tripID: {claim: ["https://x.example/", trips]}}}
          - {name: number, kinds: [consumer], claims: [{claim: level, equals: 3}], ids: {tripID: any}}
          - {name: flag, kinds: [consumer], claims: [{claim: verified, equals: true}], ids: {tripID: any}}
          - {name: quoted, kinds: [consumer], claims: [{claim: grade, equals: "3"}], ids: {tripID: any}}
          - {name: group, kinds: [consumer], claims: [{claim: groups, contains: riders}], ids: {tripID: any}}
          - name: both
            kinds: [consumer]
            claims:
              - {claim: scope, contains: trips.read}
              - {claim: email_verified, equals: true}
            ids: {tripID: any}
          - {name: vans, kinds: [trusted_delivery_driver, untrusted_delivery_driver],
             claims: [{claim: role, equals: vans}], ids: {deliveryVehicleID: {claim: van}, taskID: {claim: tasks}}}
          - {name: parcels, kinds: [delivery_consumer], claims: [{claim: role, equals: parcels}],
             ids: {trackingID: {claim: parcels}}}
          - {name: batch, kinds: [task_batch], claims: [{claim: role, equals: batch}], ids: {taskIDs: {claim: tasks}}}
          - {name: operators, kinds: [server, fleet_reader], claims: [{claim: role, equals: operators}]}
          - {name: dispatch, kinds: [consumer, server, delivery_server], api_keys: [dispatch], ids: {tripID: any}}
          - {name: support, kinds: [driver], api_keys: [dispatch, support], ids: {vehicleID: any}}
          - {name: provider, kinds: [task_batch], issuers: ["https://id.example.com"],
             claims: [{claim: role, equals: provider}], ids: {taskIDs: any}}
        """

    /// A caller (a token's claims or an API key's name), a request (a path and the flags of `explain`), and the rule
    /// that allows it, or nil.
    struct Row: Sendable {
        let caller: String
        let target: String
        let flags: [String]
        let rule: String?

        init(_ caller: String, _ target: String, _ flags: [String], _ rule: String?) {
            (self.caller, self.target, self.flags, self.rule) = (caller, target, flags, rule)
        }

        static func trip(_ caller: String, _ id: String, _ rule: String?) -> Row {
            Row(caller, "?tripID=\(id)", ["--trip", id], rule)
        }

        static func vehicle(_ caller: String, _ id: String, _ rule: String?) -> Row {
            Row(caller, "/driver/\(id)", ["--vehicle", id], rule)
        }

        static func tasks(_ caller: String, _ ids: String, _ rule: String?) -> Row {
            Row(caller, "?taskIDs=\(ids)", ["--tasks", ids], rule)
        }

        static func kind(_ caller: String, _ kind: String, _ rule: String?) -> Row {
            Row(caller, "/\(kind)", ["--kind", kind], rule)
        }
    }

    static let rows: [Row] =
        [
            .trip(#"{"role":"any"}"#, "t-9", "any"), .trip(#"{"role":"Any"}"#, "t-9", nil), .trip(#"{}"#, "t-9", nil),
            .trip(#"{"role":["any"]}"#, "t-9", nil), .trip(#"{"role":"any "}"#, "t-9", nil),
            .vehicle(#"{"role":"any"}"#, "v-1", nil),
            .trip(#"{"role":"listed"}"#, "t-1", "listed"), .trip(#"{"role":"listed"}"#, "t-2", "listed"),
            .trip(#"{"role":"listed"}"#, "t-3", nil), .trip(#"{"role":"listed"}"#, "T-1", nil),
            .vehicle(#"{"role":"listed"}"#, "7", "listed"), .vehicle(#"{"role":"listed"}"#, "07", nil),
            .vehicle(#"{"role":"text","vehicle_id":"v-1"}"#, "v-1", "text"),
            .vehicle(#"{"role":"text","vehicle_id":"v-1"}"#, "v-10", nil),
            .vehicle(#"{"role":"text","vehicle_id":"*"}"#, "v-1", nil),
            .vehicle(#"{"role":"text","vehicle_id":7}"#, "7", nil), .vehicle(#"{"role":"text"}"#, "v-1", nil),
            .vehicle(#"{"role":"text","vehicle_id":["v-1"]}"#, "v-1", "text"),
            .vehicle(#"{"role":"text","vehicle_id":{"v-1":true}}"#, "v-1", nil),
            .vehicle(#"{"role":"text","vehicle_id":"v-1 v-2"}"#, "v-1", nil),
            .trip(#"{"role":"array","trips":["t-1","t-2"]}"#, "t-2", "array"),
            .trip(#"{"role":"array","trips":["t-1","t-2"]}"#, "t-3", nil),
            .trip(#"{"role":"array","trips":[]}"#, "t-1", nil), .trip(#"{"role":"array","trips":[1]}"#, "1", nil),
            .trip(#"{"role":"array","trips":[["t-1"]]}"#, "t-1", nil),
            .trip(#"{"role":"array","trips":["*"]}"#, "t-1", nil),
            .vehicle(#"{"app":{"role":"nested","fleet":{"cars":["v-1"]}}}"#, "v-1", "nested"),
            .vehicle(#"{"app":{"role":"nested","fleet":{"cars":["v-1"]}}}"#, "v-2", nil),
            .vehicle(#"{"app.role":"nested","app.fleet.cars":["v-1"]}"#, "v-1", nil),
            .vehicle(#"{"app":[{"role":"nested"}]}"#, "v-1", nil),
            .trip(#"{"https://x.example/role":"dotted","https://x.example/":{"trips":["t-1"]}}"#, "t-1", "dotted"),
            .trip(#"{"https://x.example/role":"dotted","https://x.example/":{"trips":["t-1"]}}"#, "t-2", nil),
        ] + literals + deliveries + callers

    static let literals: [Row] = [
        .trip(#"{"level":3}"#, "t-1", "number"), .trip(#"{"level":4}"#, "t-1", nil),
        .trip(#"{"level":"3"}"#, "t-1", nil),
        .trip(#"{"level":[3]}"#, "t-1", nil), .trip(#"{"verified":true}"#, "t-1", "flag"),
        .trip(#"{"verified":"true"}"#, "t-1", nil), .trip(#"{"verified":false}"#, "t-1", nil),
        .trip(#"{"grade":"3"}"#, "t-1", "quoted"), .trip(#"{"grade":3}"#, "t-1", nil),
        .trip(#"{"groups":["staff","riders"]}"#, "t-1", "group"), .trip(#"{"groups":"staff riders"}"#, "t-1", "group"),
        .trip(#"{"groups":["rider"]}"#, "t-1", nil), .trip(#"{"groups":"riders2"}"#, "t-1", nil),
        .trip(#"{"groups":"staff,riders"}"#, "t-1", nil), .trip(#"{"groups":{"riders":true}}"#, "t-1", nil),
        .trip(#"{"scope":"openid trips.read","email_verified":true}"#, "t-1", "both"),
        .trip(#"{"scope":"openid trips.read"}"#, "t-1", nil), .trip(#"{"email_verified":true}"#, "t-1", nil),
        .trip(#"{"scope":"openid trips.reader","email_verified":true}"#, "t-1", nil),
    ]

    static let van = #"{"role":"vans","van":"van-1","tasks":["k-1","k-2"]}"#
    static let tasks = #"{"role":"batch","tasks":["k-1","k-2"]}"#
    static let trusted = ["--kind", "trusted_delivery_driver"]

    static let deliveries: [Row] = [
        Row(van, "/delivery_driver/van-1", ["--delivery-vehicle", "van-1"], "vans"),
        Row(van, "/delivery_driver/van-2", ["--delivery-vehicle", "van-2"], nil),
        Row(van, "/trusted_delivery_driver/van-1", ["--delivery-vehicle", "van-1"] + trusted, "vans"),
        Row(van, "?deliveryVehicleID=van-1&taskID=k-2", ["--delivery-vehicle", "van-1", "--task", "k-2"], "vans"),
        Row(van, "?deliveryVehicleID=van-1&taskID=k-3", ["--delivery-vehicle", "van-1", "--task", "k-3"], nil),
        Row(van, "?taskID=k-1", ["--task", "k-1"], nil),
        Row(#"{"role":"parcels","parcels":["p-1"]}"#, "?trackingID=p-1", ["--tracking", "p-1"], "parcels"),
        Row(#"{"role":"parcels","parcels":["p-1"]}"#, "?trackingID=p-2", ["--tracking", "p-2"], nil),
        Row(#"{"role":"parcels","parcels":["p-1"]}"#, "?taskID=p-1", ["--task", "p-1"], nil),
        .tasks(tasks, "k-1", "batch"), .tasks(tasks, "k-2,k-1", "batch"), .tasks(tasks, "k-1,k-3", nil),
        .tasks(#"{"role":"batch","tasks":"k-1"}"#, "k-1", "batch"),
        .tasks(#"{"role":"batch","tasks":"k-1,k-2"}"#, "k-1,k-2", nil),
        .tasks(#"{"role":"provider"}"#, "k-1,k-2", "provider"),
    ]

    static let operators = #"{"role":"operators"}"#

    static let callers: [Row] = [
        // A rule allows a kind that opens everything only by naming it, not by allowing any id.
        .kind(operators, "server", "operators"), .kind(operators, "fleet_reader", "operators"),
        .kind(operators, "delivery_server", nil), .kind(operators, "delivery_fleet_reader", nil),
        .kind(#"{"role":"any"}"#, "server", nil), .trip(operators, "t-1", nil),
        .trip("dispatch", "t-1", "dispatch"), .kind("dispatch", "server", "dispatch"),
        .kind("dispatch", "delivery_server", "dispatch"), .kind("dispatch", "fleet_reader", nil),
        .vehicle("dispatch", "v-1", "support"), .vehicle("support", "v-1", "support"), .trip("support", "t-1", nil),
        .kind("support", "server", nil), .tasks("dispatch", "k-1", nil), .trip("other", "t-1", nil),
        // The key's own line restricts it to the rule `any`, which does not name it.
        .vehicle("narrow", "v-1", nil), .trip("narrow", "t-1", nil),
    ]

    @Test func `explain refuses --all-tasks, which no request can ask for`() throws {
        let files = try CallerFiles()
        let configuration = try files.configuration("rules: []")
        let outcome = try Program.run(Program.daemon, ["explain", "--config", configuration, "--all-tasks"])
        #expect(outcome.status == 64)
        #expect(outcome.sentences == ["--all-tasks: no request can ask for every task; expected --tasks ID,ID"])
    }

    @Test func `the server and explain decide by the same rule or reason`() throws {
        let files = try CallerFiles()
        var keys: [String: String] = [:]
        for name in ["dispatch", "support", "other"] { keys[name] = try files.apiKey(name) }
        keys["narrow"] = try files.apiKey("narrow", ["--rule", "any"])
        let more = "limits: {principal_rate: 0, failure_rate: 0}\naudit: {output: file, file: audit}"
        let daemon = try files.daemon("\(Self.rules)\n\(more)")
        func recorded() throws -> Int { try files.scratch.text("audit").count { $0 == "\n" } }
        for row in Self.rows {
            let before = try recorded()
            let bearer = try keys[row.caller] ?? files.token(claims(row.caller))
            let answer = try Curl("\(daemon.url)/token\(row.target)", bearer: bearer)
            #expect(answer.status == (row.rule == nil ? 403 : 200), "\(row)")
            if row.rule == nil {
                #expect(
                    answer.fields["www-authenticate"] == #"Bearer realm="token-provider", error="insufficient_scope""#)
                #expect(try answer.json()["detail"] as? String == "This caller may not have this token.")
            }
            // The answer to a refused request does not wait for its audit record.
            try Patience.wait(for: "the record of \(row)") { try recorded() > before }
            let record = try #require(try files.auditRecords().last)
            #expect(record["rule"] as? String == row.rule, "\(row)")
            try expectExplanation(files, row, bearer, record)
        }
        #expect(try files.verifyAudit().status == 0)
    }

    // MARK: -

    private func claims(_ json: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any], "\(json)")
    }

    private func expectExplanation(
        _ files: CallerFiles, _ row: Row, _ bearer: String, _ record: [String: Any]
    ) throws {
        let configuration = files.scratch.path("token-provider.yaml")
        let outcome = try Program.run(
            Program.daemon, ["explain", "--config", configuration, "--as", bearer, "--json"] + row.flags)
        #expect(outcome.status == (row.rule == nil ? 1 : 0), "\(row): \(outcome.errors)")
        let explanation = try outcome.json()
        #expect(explanation["allowed"] as? Bool == (row.rule != nil), "\(row)")
        for name in ["rule", "principal", "source", "kind"] {
            #expect(explanation[name] as? String == record[name] as? String, "\(row): \(name)")
        }
        guard row.rule == nil else { return }
        // A record counts the rules that do not fit into it.
        let (said, recorded) = (explanation["reason"] as? String ?? "", record["reason"] as? String ?? "-")
        let shown = recorded.replacing(/; [0-9]+ more rules do not apply$/, with: "")
        #expect(said.hasPrefix(shown), "\(row): \(recorded)")
    }
}
