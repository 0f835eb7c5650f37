import FleetEngineToken
import Testing

@testable import TokenService

@Suite struct TokenQueryTests {
    private static let missing =
        "missing_id: The query names nothing that a token is for; expected tripID=ID, vehicleID=ID, deliveryVehicleID=ID, "
        + "trackingID=ID, taskID=ID or taskIDs=ID,ID."
    private static let empty = "empty_parameter: The query has a parameter without a name; expected NAME=VALUE."
    private static let invalidExpiration = "invalid_expiration: expiration: expected absolute or relative."

    private static let invalidFormat =
        "invalid_format: format: expected one of sdk, on_demand, last_mile, javascript, android."

    private static func unknown(_ name: String) -> String {
        "unknown_parameter: The query parameter \"\(name)\" is not known; expected one of tripID, vehicleID, "
            + "deliveryVehicleID, trackingID, taskID, taskIDs, expiration, format."
    }

    /// The server refuses a malformed encoding before any route, but a query with one must not select a token either.
    private static func malformed(_ name: String) -> String {
        "invalid_id: \(name): the id is not well-formed UTF-8 after percent-decoding; expected UTF-8 (RFC 3629)."
    }

    private static func repeated(_ name: String) -> String {
        "repeated_parameter: The request has \(name) more than once; expected it once."
    }

    @Test(arguments: [
        ("tripID=a", "consumer a"), ("tripId=a", "consumer a"), ("tripid=a", "consumer a"), ("trip_id=a", "consumer a"),
        ("vehicleID=a", "driver a"), ("vehicleId=a", "driver a"), ("vehicleid=a", "driver a"),
        ("vehicle_id=a", "driver a"),
        ("tripID=a&expiration=absolute", "consumer a absolute"),
        ("tripID=a&expiration=relative", "consumer a relative"),
        ("tripID=a&expiration=%72elative", "consumer a relative"),
        ("trip%49D=a", "consumer a"), ("%65xpiration=relative&trip%5fid=a", "consumer a relative"),
        ("tripID=a+b", "consumer a+b"), ("tripID=a%20b", "consumer a b"), ("tripID=a%2Bb", "consumer a+b"),
        ("tripID=a%26b", "consumer a&b"), ("tripID=a%3Db", "consumer a=b"), ("tripID=a=b", "consumer a=b"),
        ("tripID==", "consumer ="), ("tripID=a%2525", "consumer a%25"),
        ("deliveryVehicleID=v", "untrusted_delivery_driver v"),
        ("deliveryVehicleID=v&taskID=t", "trusted_delivery_driver v,t"),
        ("task_id=t&delivery_vehicle_id=v", "trusted_delivery_driver v,t"),
        ("trackingID=s", "delivery_consumer s"), ("taskID=t", "delivery_consumer t"),
        ("taskIDs=a,b", "task_batch a,b"), ("taskIds=a%2Cb", "task_batch a,b"), ("taskIDs=a", "task_batch a"),
        ("trackingID=s&format=javascript", "delivery_consumer s javascript"),
        ("tripID=%F0%9F%9A%97", "consumer \u{1F697}"), ("tripID=%C3%A9", "consumer \u{E9}"),
    ])
    func `a valid query selects the kind and id of its token`(query: String, expected: String) {
        #expect(outcome(of: query) == expected)
    }

    @Test(arguments: [
        ("", missing), ("expiration=relative", missing),
        ("&", empty), ("&tripID=a", empty), ("tripID=a&", empty), ("tripID=a&&expiration=relative", empty),
        ("=a", empty), ("tripID=a&=", empty),
        ("tripID=", "invalid_id: tripID: the id is empty; expected 1 to 64 characters."),
        ("vehicle_id", "invalid_id: vehicleID: the id is empty; expected 1 to 64 characters."),
        ("tripID=*", "invalid_id: tripID: the id is the wildcard \"*\"; expected one id."),
        ("tripID=%2a", "invalid_id: tripID: the id is the wildcard \"*\"; expected one id."),
        (
            "tripID=%C0%AA",
            "invalid_id: tripID: the id is not well-formed UTF-8 after percent-decoding; expected UTF-8 (RFC 3629)."
        ),
        ("tripID=a%2Fb", "invalid_id: tripID: the id contains U+002F '/'; expected none of / : ? , #."),
        ("tripID=a%00", "invalid_id: tripID: the id contains the control character U+0000; expected none."),
        ("tripID=a&tripID=a", repeated("tripID")), ("tripID=a&trip_id=b", repeated("tripID")),
        ("vehicleId=a&vehicle%49d=a", repeated("vehicleID")),
        ("expiration=relative&tripID=a&expiration=relative", repeated("expiration")),
        (
            "vehicleID=a&tripID=a",
            "conflicting_parameters: The request has both vehicleID and tripID; "
                + "expected one of them, since no token is for both."
        ),
        ("tripID=a&tripIDs=b", unknown("tripIDs")), ("TripID=a", unknown("TripID")), ("x=%2a", unknown("x")),
        ("tripID=a&Expiration=relative", unknown("Expiration")), ("tripID=a;b&x", unknown("x")),
        ("tripID=%", malformed("tripID")), ("vehicle_id=a%4", malformed("vehicleID")),
        ("trip%4=a", unknown("trip%4")), ("%zz=a&tripID=a", unknown("%zz")),
        ("tripID=a&format=SDK", invalidFormat), ("tripID=a&format=sdk%", invalidFormat),
        ("tripID=a&format=", invalidFormat),
        ("format=sdk&tripID=a&format=sdk", repeated("format")),
        ("taskIDs=", "invalid_id: taskIDs: the id is empty; expected 1 to 64 characters."),
        ("taskIDs=a,,b", "invalid_id: taskIDs: the id is empty; expected 1 to 64 characters."),
        ("taskIDs=a,b%2Ca", "invalid_id: taskIDs: the list has an id more than once; expected each task once."),
        ("taskIDs=a,*", "invalid_id: taskIDs: the id is the wildcard \"*\"; expected one id."),
        ("taskIDs=a&taskIDs=b", repeated("taskIDs")),
        ("tripID=a&expiration=", invalidExpiration), ("tripID=a&expiration", invalidExpiration),
        ("tripID=a&expiration=Relative", invalidExpiration), ("tripID=a&expiration=%", invalidExpiration),
    ])
    func `an invalid query is refused with its code and sentence`(query: String, expected: String) {
        #expect(outcome(of: query) == expected)
    }

    @Test func `only a delivery vehicle and its task combine, in either order`() {
        let names = ["tripID", "vehicleID", "deliveryVehicleID", "trackingID", "taskID", "taskIDs"]
        for first in names {
            for second in names where second != first {
                let isPair = Set([first, second]) == ["deliveryVehicleID", "taskID"]
                let refusal = "conflicting_parameters: The request has both \(first) and \(second); "
                let outcome = outcome(of: "\(first)=x&\(second)=y")
                #expect(isPair ? outcome.hasPrefix("trusted_delivery_driver") : outcome.hasPrefix(refusal))
                for third in names where isPair {
                    let all = TokenServiceTests.outcome(of: "\(first)=x&\(second)=y&\(third)=z")
                    let code = third == first || third == second ? "repeated_parameter: " : "conflicting_parameters: "
                    #expect(all.hasPrefix(code))
                }
            }
        }
    }

    @Test func `a path's kind refuses exactly the ids of other kinds as foreign`() {
        let names = ["tripID", "vehicleID", "deliveryVehicleID", "trackingID", "taskID", "taskIDs"]
        let taken: [TokenKind: Set<String>] = [
            .consumer: ["tripID"], .driver: ["vehicleID"], .untrustedDeliveryDriver: ["deliveryVehicleID"],
            .trustedDeliveryDriver: ["deliveryVehicleID", "taskID"], .deliveryConsumer: ["trackingID", "taskID"],
            .taskBatch: ["taskIDs"],
        ]
        for kind in TokenKind.allCases {
            for name in names {
                let refusal = TokenProblem.foreignParameter(name, kind)
                let isForeign = outcome(of: "\(name)=a", for: kind) == "\(refusal.code): \(refusal.detail)"
                #expect(isForeign == !taken[kind, default: []].contains(name), "\(kind) \(name)")
            }
        }
    }

    @Test func `a batch has at most 500 tasks`() {
        let ids = (1...500).map { "t\($0)" }.joined(separator: ",")
        #expect(outcome(of: "taskIDs=\(ids)") == "task_batch t1,t2,+498")
        #expect(
            outcome(of: "taskIDs=\(ids),x") == "invalid_id: taskIDs: the list has 501 ids; expected at most 500.")
    }

    @Test func `an ignored name matches in any encoding, but byte for byte`() {
        let ignored: Set<String> = ["utm_source", "x y", "caf\u{E9}"]
        for query in [
            "utm_source=a&tripID=t", "tripID=t&utm%5Fsource", "tripID=t&x%20y=%zz", "tripID=t&utm_source=&utm_source=",
            "tripID=t&caf%C3%A9",
        ] {
            #expect(outcome(of: query, ignoring: ignored) == "consumer t")
        }
        #expect(outcome(of: "tripID=t&UTM_source=a", ignoring: ignored) == Self.unknown("UTM_source"))
        #expect(outcome(of: "utm_source=tripID", ignoring: ignored) == Self.missing)
        #expect(outcome(of: "tripID=t&x+y", ignoring: ignored) == Self.unknown("x+y"))
    }

    @Test func `an unknown name is cut to 64 characters in the error`() {
        let name = String(repeating: "n", count: 9000)
        #expect(outcome(of: "\(name)=a") == Self.unknown(String(repeating: "n", count: 64)))
    }

    /// Valid and invalid parameters, of which the queries are made.
    private static let pairs = [
        "tripID=a", "trip_id=b", "vehicleId=c", "expiration=relative", "expiration=absolute", "gateway=1", "gateway=2",
        "typo=1", "tripid=", "", "tripID=%", "taskID=t", "deliveryVehicleID=v", "taskIDs=a,b", "format=android",
    ]

    @Test func `the order of parameters changes neither the request nor its refusal`() {
        var generator = SystemRandomNumberGenerator()
        for mask in 1..<(1 << Self.pairs.count) {
            let chosen = Self.pairs.indices.filter { mask >> $0 & 1 == 1 }.map { Self.pairs[$0] }
            guard chosen.count <= 5 else { continue }
            let expected = answer(chosen)
            for order in [chosen.reversed(), chosen.shuffled(using: &generator), chosen.shuffled(using: &generator)] {
                guard answer(order) != expected else { continue }
                Issue.record("\(order) is \(answer(order)), and \(chosen) is \(expected)")
            }
        }
    }

    /// The result of a query. All refusals are equal, because the order decides which of several faults is reported.
    private func answer(_ pairs: [String]) -> String {
        let outcome = outcome(of: pairs.joined(separator: "&"), ignoring: ["gateway"])
        return outcome.contains(": ") ? "refused" : outcome
    }
}
