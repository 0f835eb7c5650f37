import TestSupport
import Foundation
import Testing

/// Every kind of token over HTTP: which account signs it, what it holds, and when it is refused.
@Suite(.blocking) struct KindTests {
    static let withIDs = [
        "consumer", "driver", "untrusted_delivery_driver", "trusted_delivery_driver", "delivery_consumer", "task_batch",
    ]
    static let wildcards = ["server", "delivery_server", "delivery_fleet_reader", "fleet_reader"]

    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `each kind has its own account and exactly its own claims`() throws {
        var configuration = "kinds:\n"
        var expected: [String: [String: Any]] = [:]
        for kind in Self.withIDs {
            let key = try ServiceAccountFile(
                in: scratch, name: kind, account: "\(kind)@fleet-test.iam.gserviceaccount.com", keyID: "key-of-\(kind)")
            configuration += "  \(kind):\n    credentials: \(key.path)\n"
            expected[kind] = settings(key)
        }
        let daemon = try daemon(configuration)
        let facts = try verify(daemon, expected)
        // At least two forms of request, each with its default format and with every other.
        for kind in Self.withIDs { #expect(try #require(facts[kind]) >= 20, "\(kind)") }
    }

    @Test func `a wildcard kind has exactly its wildcards, if a rule allows it`() throws {
        let callers = try CallerFiles()
        let apiKey = try callers.apiKey("back-end")
        let kinds = Self.wildcards.joined(separator: ", ")
        let daemon = try callers.daemon("rules:\n  - {name: all, kinds: [\(kinds)], api_keys: [back-end]}")
        let expected = Dictionary(uniqueKeysWithValues: Self.wildcards.map { ($0, settings(callers.key)) })
        let facts = try verify(daemon, expected, apiKey)
        for kind in Self.wildcards { #expect(try #require(facts[kind]) >= 12, "\(kind)") }
    }

    @Test func `audience, lifetime, backdate and margin of a kind override common ones`()
        throws
    {
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try daemon(
            """
            credentials: \(key.path)
            token:
              lifetime: 30m
              backdate: 2m
              client_margin: 30s
            kinds:
              consumer:
                lifetime: 660s
                backdate: 0s
                client_margin: 0s
              driver:
                audience: https://fleetengine.example.com/
              untrusted_delivery_driver:
                lifetime: 1h
                backdate: 10m
              trusted_delivery_driver:
                client_margin: 5m
            """)
        let common = settings(key, lifetime: 1800, backdate: 120, margin: 30)
        var expected = Dictionary(uniqueKeysWithValues: Self.withIDs.map { ($0, common) })
        expected["consumer"] = settings(key, lifetime: 660, backdate: 0, margin: 0)
        expected["driver"]?["audience"] = "https://fleetengine.example.com/"
        expected["untrusted_delivery_driver"] = settings(key, lifetime: 3600, backdate: 600, margin: 30)
        expected["trusted_delivery_driver"]?["client_margin"] = 300
        try verify(daemon, expected)
        #expect(try daemon.end() == 0)
        let log = try daemon.log()
        #expect(!log.contains("is short"))
        #expect(log.contains("kinds.driver.audience"))
    }

    // MARK: Refusals

    @Test func `a wildcard kind needs its own key, and the answer says so`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        for kind in Self.wildcards {
            let setting = "kinds.\(kind).credentials"
            for path in Self.paths(kind) { try expectRefusal(daemon, path, 404, "\(setting)_unset", setting) }
        }
    }

    @Test func `a wildcard kind is refused when callers are not authenticated`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let kinds = Self.wildcards.map { "  \($0):\n    credentials: \(key.path)\n" }.joined()
        let daemon = try daemon("kinds:\n\(kinds)")
        for kind in Self.wildcards {
            for path in Self.paths(kind) { try expectRefusal(daemon, path, 403, "caller_required", kind) }
        }
    }

    @Test(arguments: [["--kinds", "consumer"], []])
    func `a kind missing in kinds.enabled is off, and the answer says so`(flags: [String]) throws {
        let key = try ServiceAccountFile(in: scratch)
        let environment = flags.isEmpty ? ["TOKEN_PROVIDER_KINDS_ENABLED": "consumer"] : [:]
        let daemon = try DaemonProcess(scratch: scratch, key: key, flags: flags, environment: environment)
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        #expect(try Curl("\(daemon.url)/token/consumer/a").status == 200)
        for (target, kind) in [
            ("?vehicleID=a", "driver"), ("/driver/a", "driver"), ("?trackingID=a", "delivery_consumer"),
            ("?taskID=a", "delivery_consumer"), ("?taskIDs=a", "task_batch"),
            ("/delivery_driver/a", "untrusted_delivery_driver"),
            ("?deliveryVehicleID=a&taskID=b", "trusted_delivery_driver"), ("/server", "server"),
        ] {
            try expectRefusal(daemon, "/token\(target)", 404, "kinds.enabled_without_\(kind)", "kinds.enabled")
        }
    }

    @Test func `an unlisted kind without a key names both settings that enable it`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let kinds = "kinds:\n  consumer:\n    credentials: \(key.path)\n"
        let off = try daemon("\(kinds)  enabled: [consumer]")
        let advice = "kinds.enabled and kinds.driver.credentials turn it on."
        try expectRefusal(off, "/token?vehicleID=a", 404, "kinds.enabled_without_driver", advice)
        let on = try daemon("\(kinds)  driver:\n    credentials: \(key.path)\n  enabled: [consumer, driver]")
        #expect(try Curl("\(on.url)/token?vehicleID=a").status == 200)
    }

    @Test func `a path without an id is answered with the expected path`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: ServiceAccountFile(in: scratch))
        try expectRefusal(daemon, "/token/delivery_driver", 400, "missing_id", "expected /token/delivery_driver/ID.")
        try expectRefusal(daemon, "/token/android/driver/", 400, "missing_id", "expected /token/driver/ID.")
        try expectRefusal(daemon, "/token/rider/a", 404, "unknown_kind", "fleet_reader, delivery_driver.")
    }

    @Test func `a kind without a key names the setting that provides one`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try daemon("kinds:\n  consumer:\n    credentials: \(key.path)")
        for target in ["?vehicleID=a", "/driver/a"] {
            try expectRefusal(
                daemon, "/token\(target)", 404, "kinds.driver.credentials_unset", "kinds.driver.credentials")
        }
    }

    @Test func `two ids that do not fit together are refused by name`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        let names = ["tripID", "vehicleID", "deliveryVehicleID", "trackingID", "taskID", "taskIDs"]
        for first in names {
            for second in names where Set([first, second]) != ["deliveryVehicleID", "taskID"] && first != second {
                let detail = "both \(first) and \(second)"
                try expectRefusal(daemon, "/token?\(first)=a&\(second)=b", 400, "conflicting_parameters", detail)
            }
        }
        try expectRefusal(
            daemon, "/token/delivery_consumer/a?taskID=b", 400, "conflicting_parameters", "both trackingID and taskID")
    }

    @Test func `an id that does not fit the kind is refused by name`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        for (target, name) in [
            ("consumer?vehicleID=a", "vehicleID"), ("delivery_driver/a?taskID=b", "taskID"),
            ("consumer/a?vehicleID=b", "vehicleID"), ("driver/a?taskID=b", "taskID"),
            ("trusted_delivery_driver/a?tripID=b", "tripID"), ("task_batch/a,b?taskID=c", "taskID"),
            ("javascript/delivery_consumer/a/?taskIDs=b", "taskIDs"),
            ("delivery_consumer?deliveryVehicleID=a", "deliveryVehicleID"),
            ("trusted_delivery_driver?taskID=a", "taskID"), ("task_batch?taskID=a", "taskID"),
        ] {
            try expectRefusal(daemon, "/token/\(target)", 400, "foreign_parameter", name)
        }
    }

    // MARK: -

    /// Every way to ask for a wildcard kind.
    private static func paths(_ kind: String) -> [String] {
        ["/token/\(kind)", "/token/\(kind)/", "/token/javascript/\(kind)", "/token/\(kind)?format=last_mile"]
    }

    private func daemon(_ configuration: String) throws -> DaemonProcess {
        let file = try scratch.write("kinds.yaml", "listen: 127.0.0.1:0\ncallers: none\n\(configuration)\n")
        return try DaemonProcess(["serve", "--config", file], scratch: scratch)
    }

    /// What the verifier expects in the tokens that a key signs.
    private func settings(
        _ key: ServiceAccountFile, lifetime: Int = 3600, backdate: Int = 300, margin: Int = 60
    ) -> [String: Any] {
        [
            "public_key": key.publicKeyPath, "account": key.account, "key_id": key.keyID,
            "audience": "https://fleetengine.googleapis.com/", "lifetime": lifetime, "backdate": backdate,
            "client_margin": margin,
        ]
    }

    /// Verifies the answers for each kind; returns how many there were.
    @discardableResult
    private func verify(
        _ daemon: DaemonProcess, _ kinds: [String: [String: Any]], _ apiKey: String? = nil
    ) throws -> [String: Int] {
        let json = String(decoding: try JSONSerialization.data(withJSONObject: kinds), as: UTF8.self)
        let path = try scratch.write("kinds.json", json)
        let facts = try PythonClients.runVerifier("kind_contract.py", [daemon.url, path] + [apiKey].compactMap(\.self))
        return try #require(facts["answers"] as? [String: Int])
    }

    private func expectRefusal(
        _ daemon: DaemonProcess, _ target: String, _ status: Int, _ code: String, _ words: String
    ) throws {
        let answer = try Curl("\(daemon.url)\(target)")
        #expect(answer.status == status, "\(target)")
        let json = try answer.json()
        #expect(Set(json.keys) == ["type", "title", "status", "detail", "code"])
        #expect(json["code"] as? String == code, "\(target)")
        #expect(try #require(json["detail"] as? String).contains(words), "\(target): \(json["detail"] ?? "")")
        #expect(!answer.body.contains("eyJ"))
    }
}
