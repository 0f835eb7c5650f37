import CallerAccess
import FleetEngineToken
import StrictJSON
import Testing

@Suite struct BackEndQuestionTests {
    private func body(_ principal: Principal, _ claims: PrivateClaims) -> String {
        String(decoding: BackEndQuestion(about: principal, wanting: claims, showing: []).body, as: UTF8.self)
    }

    @Test func `the body has the kind, and the ids under their request names`() throws {
        let expected = [
            #"{"kind":"consumer","ids":{"tripID":"one"}}"#, #"{"kind":"driver","ids":{"vehicleID":"one"}}"#,
            #"{"kind":"untrusted_delivery_driver","ids":{"deliveryVehicleID":"one"}}"#,
            #"{"kind":"trusted_delivery_driver","ids":{"deliveryVehicleID":"one"}}"#,
            #"{"kind":"trusted_delivery_driver","ids":{"deliveryVehicleID":"one","taskID":"two"}}"#,
            #"{"kind":"delivery_consumer","ids":{"trackingID":"one"}}"#,
            #"{"kind":"delivery_consumer","ids":{"taskID":"one"}}"#,
            #"{"kind":"task_batch","ids":{"taskIDs":["one","two"]}}"#, #"{"kind":"task_batch","ids":{}}"#,
            #"{"kind":"server","ids":{}}"#, #"{"kind":"delivery_server","ids":{}}"#,
            #"{"kind":"delivery_fleet_reader","ids":{}}"#, #"{"kind":"fleet_reader","ids":{}}"#,
        ]
        #expect(try AccessBench.everyToken().map { body(.anonymous, $0) } == expected)
    }

    @Test func `the target has one form for each token`() throws {
        let targets = try AccessBench.everyToken().map {
            BackEndQuestion(about: .anonymous, wanting: $0, showing: []).target
        }
        #expect(
            targets == [
                "/token/consumer?tripID=one", "/token/driver?vehicleID=one",
                "/token/untrusted_delivery_driver?deliveryVehicleID=one",
                "/token/trusted_delivery_driver?deliveryVehicleID=one",
                "/token/trusted_delivery_driver?deliveryVehicleID=one&taskID=two",
                "/token/delivery_consumer?trackingID=one", "/token/delivery_consumer?taskID=one",
                "/token/task_batch?taskIDs=one,two", "/token/task_batch", "/token/server", "/token/delivery_server",
                "/token/delivery_fleet_reader", "/token/fleet_reader",
            ])
        let special = PrivateClaims.trip(try AccessBench.id("a&b=c%d e\u{E9}"))
        #expect(
            BackEndQuestion(about: .anonymous, wanting: special, showing: []).target
                == "/token/consumer?tripID=a%26b%3Dc%25d%20e%C3%A9")
    }

    @Test func `the body contains the principal and its source if authenticated`() throws {
        let claims = PrivateClaims.server
        #expect(
            body(AccessBench.server("billing"), claims)
                == #"{"kind":"server","ids":{},"principal":{"source":"api_key","name":"billing"}}"#)
        let driver = try AccessBench.driver(#"{"secret": "s"}"#)
        #expect(
            body(driver, claims) == #"{"kind":"server","ids":{},"principal":"#
                + #"{"source":"jwt","issuer":"https://id.example","name":"driver-7"}}"#)
    }

    @Test func `an id with special characters is sent unchanged`() throws {
        for text in ["caf\u{E9}", "\u{1F69A}", "a\"b\\c", "a b+c&d=e", "\u{10FFFD}"] {
            let read = try JSONValue(parsing: Array(body(.anonymous, .trip(try AccessBench.id(text))).utf8))
            #expect(
                read == .object(["kind": .string("consumer"), "ids": .object(["tripID": .string(text)])]))
        }
    }

    @Test func `the digest differs for every difference in what is sent`() throws {
        typealias Field = BackEndQuestion.Field
        let (one, two) = (try AccessBench.id("one"), try AccessBench.id("two"))
        func field(_ name: String, _ value: String) -> Field { Field(name, Array(value.utf8)) }
        let key = [field("authorization", "Bearer a")]
        let questions: [(Principal, PrivateClaims, [Field])] = [
            (.anonymous, .trip(one), []), (.anonymous, .trip(two), []), (.anonymous, .vehicle(one), []),
            (.anonymous, .task(one), []), (.anonymous, .trackingID(one), []),
            (AccessBench.server("a"), .trip(one), []), (AccessBench.server("b"), .trip(one), []),
            (try AccessBench.driver(), .trip(one), []), (try AccessBench.driver(issuer: "https://b"), .trip(one), []),
            (.anonymous, .trip(one), key), (.anonymous, .trip(one), [field("authorization", "Bearer b")]),
            (.anonymous, .trip(one), [field("authorization", "")]), (.anonymous, .trip(one), [field("x", "")]),
            (.anonymous, .trip(one), key + [field("x", "a")]), (.anonymous, .trip(one), key + [field("y", "a")]),
            (.anonymous, .trip(one), [field("x", "a"), field("x", "b")]),
            (.anonymous, .trip(one), [field("x", "b"), field("x", "a")]),
            (.anonymous, .trip(one), [field("x", "ab")]), (.anonymous, .trip(one), [field("xa", "b")]),
            (.anonymous, .trip(one), [field("x", "axb")]),
        ]
        let digests = questions.map { BackEndQuestion(about: $0.0, wanting: $0.1, showing: $0.2).digest }
        #expect(Set(digests).count == questions.count)
        let again = questions.map { BackEndQuestion(about: $0.0, wanting: $0.1, showing: $0.2).digest }
        #expect(digests == again)
    }

    @Test(arguments: [
        ("", true), ("a b\tc", true), ("r\u{E9}n\u{E9}", true), (" a", false), ("a\t", false), ("a\u{7F}b", false),
        ("a\r\nb", false),
    ])
    func `a header is text only if it arrives as it was sent`(value: String, isText: Bool) {
        #expect(BackEndQuestion.Field("x", Array(value.utf8)).text == (isText ? value : nil))
    }

    @Test func `claims of the caller's token are not in the body`() throws {
        let claims = PrivateClaims.trip(try AccessBench.id("t"))
        let questions = try [#"{"a":1}"#, #"{"a":2}"#].map { text in
            BackEndQuestion(about: try AccessBench.driver(text), wanting: claims, showing: [])
        }
        #expect(questions[0].body == questions[1].body)
    }
}
