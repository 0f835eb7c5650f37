import CallerAccess
import Testing

@Suite struct BackEndAnswerTests {
    private func decision(
        _ status: Int, _ body: String = "", type: String? = "application/json", isWhole: Bool = true
    ) throws(BackEndOutage) -> BackEndDecision {
        try BackEndAnswer(
            status: status, contentTypes: type.map { [$0] } ?? [], body: Array(body.utf8), isWhole: isWhole
        ).decision()
    }

    private func failure(
        _ status: Int, _ body: String = "", type: String? = "application/json", isWhole: Bool = true
    ) -> BackEndOutage? {
        do throws(BackEndOutage) {
            _ = try decision(status, body, type: type, isWhole: isWhole)
            return nil
        } catch {
            return error
        }
    }

    private let plain = BackEndDecision.allowed(principal: nil, lifetime: nil)

    @Test func `2xx allows, 401 and 403 refuse, every other status is an outage`() throws {
        for status in 100...599 {
            switch status {
            case 200...299: #expect(try decision(status) == plain)
            case 401: #expect(try decision(status) == .unauthenticated)
            case 403: #expect(try decision(status) == .denied)
            default:
                let outage = try #require(failure(status))
                #expect(
                    outage.sentence == "the back end answered with the status \(status); expected 2xx, 401 or 403")
                #expect(outage.health == (status >= 500 ? .failing : .answering))
            }
        }
    }

    private func decision(
        _ form: BackEndForm, _ status: Int, _ body: String, isWhole: Bool = true
    ) throws(BackEndOutage) -> BackEndDecision {
        try BackEndAnswer(status: status, contentTypes: ["application/json"], body: Array(body.utf8), isWhole: isWhole)
            .decision(form)
    }

    @Test func `a redirect refuses where a service sends browsers to its login page`() {
        for status in 300...399 {
            #expect(BackEndAnswer.refusal(of: status) == nil)
            let isLogin = [302, 303, 307].contains(status)
            #expect(BackEndAnswer.refusal(of: status, ofLogins: true) == (isLogin ? .unauthenticated : nil))
        }
    }

    @Test func `by the status alone, no body matters`() throws {
        for body in ["", "{\"lifetime\": 5}", "<html>", "{\"allow\": false}"] {
            #expect(try decision(.ignore, 202, body, isWhole: false) == plain)
            #expect(try decision(.ignore, 403, body) == .denied)
            #expect(try decision(.ignore, 401, body) == .unauthenticated)
            #expect(throws: BackEndOutage.self) { try decision(.ignore, 302, body) }
        }
    }

    @Test(
        arguments: [
            (#"{"result": true}"#, .allowed(principal: nil, lifetime: nil)),
            (#"{"result":true,"decision_id":"a"}"#, .allowed(principal: nil, lifetime: nil)),
            (#"{"result": false}"#, .denied), ("{}", .undefined), (#"{"warning": {}}"#, .undefined),
            (#"{"result": "true"}"#, nil), (#"{"result": {"allow": true}}"#, nil), (#"{"result": null}"#, nil),
            ("true", nil), ("", nil), (#"{"result": true"#, nil),
        ] as [(String, BackEndDecision?)])
    func `a policy's result decides, and anything else is an outage`(body: String, decided: BackEndDecision?) throws {
        if let decided {
            #expect(try decision(.opa, 200, body) == decided)
        } else {
            #expect(throws: BackEndOutage.self) { try decision(.opa, 200, body) }
        }
        #expect(throws: BackEndOutage.self) { try decision(.opa, 500, body) }
    }

    @Test func `the body of a refusal or failure is ignored`() throws {
        let body = #"{"principal": "root", "lifetime": 5}"#
        #expect(try decision(401, body) == .unauthenticated)
        #expect(try decision(403, body) == .denied)
        #expect(failure(500, body) != nil)
    }

    @Test func `an empty body allows only if nothing can have been cut off`() throws {
        for status in 200...299 {
            let outage = try #require(failure(status, isWhole: false))
            #expect(outage.sentence.contains("may be cut off; expected Content-Length: 0"))
            #expect(outage.health == .failing)
        }
        #expect(try decision(401, isWhole: false) == .unauthenticated)
        #expect(try decision(403, isWhole: false) == .denied)
    }

    @Test func `a cut object is an outage, a whole one is read`() throws {
        let body = #"{"principal":"rider-7","lifetime":60}"#
        #expect(try decision(200, body, isWhole: false) == .allowed(principal: "rider-7", lifetime: 60))
        for length in 0..<body.count { #expect(failure(200, String(body.prefix(length)), isWhole: false) != nil) }
    }

    @Test(arguments: [
        nil, "", "text/plain", "text/html; charset=utf-8", "text/json", "application/jsonp", "x/json",
        "application/json, application/json",
    ])
    func `a body without a JSON content type is an outage`(type: String?) throws {
        for body in [#"{"principal": "p"}"#, "{", "\u{FEFF}{}", "false", "ok", "<!doctype html>", " \n", "\0"] {
            let outage = try #require(failure(200, body, type: type))
            #expect(
                outage.sentence
                    == "the back end answered 200 with a body that is not called application/json; expected that type or no body"
            )
            #expect(outage.health == .answering)
        }
        #expect(try decision(200, "", type: type) == plain)
        #expect(try decision(403, "{", type: type) == .denied)
    }

    // Text in UTF-16 may say anything.
    @Test func `a body in UTF-16 is an outage, whatever its content type`() {
        for mark in [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]] {
            for type in ["text/plain", "application/json"] {
                let answer = BackEndAnswer(status: 200, contentTypes: [type], body: mark + [0x7B], isWhole: true)
                #expect(throws: BackEndOutage.self) { try answer.decision() }
            }
        }
    }

    @Test func `two Content-Type headers are an outage, but do not change a refusal`() throws {
        for types in [["application/json", "application/json"], ["text/plain", "application/json"], ["", ""]] {
            let outage = #expect(throws: BackEndOutage.self) {
                try BackEndAnswer(
                    status: 200, contentTypes: types, body: Array("ok".utf8), isWhole: true
                ).decision()
            }
            #expect(
                outage?.sentence
                    == "the back end answered 200 with several Content-Type headers; expected one at most")
            let refusal = BackEndAnswer(status: 401, contentTypes: types, body: [], isWhole: true)
            #expect(try refusal.decision() == .unauthenticated)
        }
    }

    @Test(arguments: [
        "application/json", "Application/JSON", "application/json; charset=utf-8", "application/json ;a=b",
        "application/vnd.example+json",
    ])
    func `a body with a JSON content type is read`(_ type: String) throws {
        #expect(try decision(200, #"{"principal": "p"}"#, type: type) == .allowed(principal: "p", lifetime: nil))
        #expect(failure(200, "{", type: type) != nil)
    }

    @Test func `an object names the principal, the lifetime, both or neither`() throws {
        #expect(try decision(200, "{}") == plain)
        #expect(try decision(201, #" {"lifetime": 1} "#) == .allowed(principal: nil, lifetime: 1))
        let both = #"{"lifetime": 9223372036854775807, "principal": "r\u00e9n\u00e9 \ud83d\ude9a"}"#
        #expect(try decision(200, both) == .allowed(principal: "r\u{E9}n\u{E9} \u{1F69A}", lifetime: .max))
        let longest = String(repeating: "x", count: 256)
        #expect(try decision(200, #"{"principal":"\#(longest)"}"#) == .allowed(principal: longest, lifetime: nil))
    }

    @Test(arguments: [
        "{", "null", "true", "[]", "\"allowed\"", "5", "{} {}", "\u{FEFF}{}", #"{"lifetime":60,}"#,
        #"{"lifetime":60,"lifetime":3600}"#, #"{"lifetime":0}"#, #"{"lifetime":-1}"#, #"{"lifetime":60.0}"#,
        #"{"lifetime":6e1}"#, #"{"lifetime":"60"}"#, #"{"lifetime":null}"#, #"{"lifetime":9223372036854775808}"#,
        #"{"principal":""}"#, #"{"principal":7}"#, #"{"principal":null}"#, #"{"principal":["a"]}"#,
        #"{"principal":"\#(String(repeating: "x", count: 257))"}"#, #"{"principal":"\ud800"}"#,
        #"{"allow":false}"#, #"{"result":false}"#, #"{"Principal":"p"}"#, #"{"principal":"p","more":{}}"#,
    ])
    func `any other JSON is an outage, and the message never quotes it`(_ body: String) throws {
        let outage = try #require(failure(200, body))
        #expect(outage.sentence.hasPrefix("the back end answered 200 with a body that "))
        #expect(outage.sentence.hasSuffix("; expected none, or an object of principal and lifetime"))
        #expect(!outage.sentence.contains("xxx") && !outage.sentence.contains("result"))
        #expect(outage.health == .answering)
    }

    @Test func `a body that is not UTF-8 is an outage`() {
        #expect(throws: BackEndOutage.self) {
            try BackEndAnswer(
                status: 200, contentTypes: ["application/json"],
                body: Array(#"{"principal":""#.utf8) + [0xFF, 0x22, 0x7D], isWhole: true
            ).decision()
        }
    }
}
