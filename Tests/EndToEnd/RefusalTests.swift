import TestSupport
import Foundation
import Testing

/// Requests that get no token: the status, the stable code and the message of each.
@Suite(.blocking) struct RefusalTests {
    struct Refusal {
        let query: String
        let code: String
        let sentence: String
    }

    let daemon: DaemonProcess

    init() throws {
        let scratch = try Scratch()
        daemon = try DaemonProcess(scratch: scratch, key: ServiceAccountFile(in: scratch))
    }

    static func unknown(_ name: String) -> String {
        "The query parameter \"\(name)\" is not known; expected one of tripID, vehicleID, deliveryVehicleID, trackingID, "
            + "taskID, taskIDs, expiration, format."
    }

    static let missing =
        "The query names nothing that a token is for; expected tripID=ID, vehicleID=ID, deliveryVehicleID=ID, "
        + "trackingID=ID, taskID=ID or taskIDs=ID,ID."

    static func invalid(_ query: String, _ sentence: String) -> Refusal {
        Refusal(query: query, code: "invalid_id", sentence: sentence)
    }

    static let refusals: [Refusal] = [
        Refusal(query: "", code: "missing_id", sentence: missing),
        Refusal(query: "?", code: "missing_id", sentence: missing),
        Refusal(query: "?expiration=relative", code: "missing_id", sentence: missing),
        invalid("?tripID=", "tripID: the id is empty; expected 1 to 64 characters."),
        invalid("?tripID", "tripID: the id is empty; expected 1 to 64 characters."),
        invalid("?vehicleID=", "vehicleID: the id is empty; expected 1 to 64 characters."),
        invalid("?tripID=*", "tripID: the id is the wildcard \"*\"; expected one id."),
        invalid("?tripID=%2A", "tripID: the id is the wildcard \"*\"; expected one id."),
        invalid("?vehicle_id=%2a", "vehicleID: the id is the wildcard \"*\"; expected one id."),
        invalid("?tripID=a%2Fb", "tripID: the id contains U+002F '/'; expected none of / : ? , #."),
        invalid("?tripID=a/b", "tripID: the id contains U+002F '/'; expected none of / : ? , #."),
        invalid("?tripID=a:b", "tripID: the id contains U+003A ':'; expected none of / : ? , #."),
        invalid("?tripID=a?b", "tripID: the id contains U+003F '?'; expected none of / : ? , #."),
        invalid("?tripID=a,b", "tripID: the id contains U+002C ','; expected none of / : ? , #."),
        invalid("?tripID=a%23b", "tripID: the id contains U+0023 '#'; expected none of / : ? , #."),
        invalid("?tripID=a%00b", "tripID: the id contains the control character U+0000; expected none."),
        invalid("?tripID=a%0D%0Ab", "tripID: the id contains the control character U+000D; expected none."),
        invalid("?tripID=%20a", "tripID: the id begins or ends with the white space U+0020; expected none around it."),
        invalid("?tripID=..", "tripID: the id is a dot segment; expected anything but \".\" and \"..\"."),
        invalid(
            "?tripID=e%CC%81",
            "tripID: the id is not in Unicode Normalization Form C; expected that form, since an id is never rewritten."
        ),
        invalid(
            "?tripID=%FF",
            "tripID: the id is not well-formed UTF-8 after percent-decoding; expected UTF-8 (RFC 3629)."),
        invalid(
            "?tripID=" + String(repeating: "a", count: 65), "tripID: the id has 65 characters; expected at most 64."),
        Refusal(
            query: "?tripID=a&tripID=b", code: "repeated_parameter",
            sentence: "The request has tripID more than once; expected it once."),
        Refusal(
            query: "?tripID=a&trip_id=a", code: "repeated_parameter",
            sentence: "The request has tripID more than once; expected it once."),
        Refusal(
            query: "?tripID=a&vehicleID=b", code: "conflicting_parameters",
            sentence:
                "The request has both tripID and vehicleID; expected one of them, since no token is for both."
        ),
        Refusal(
            query: "?tripID=a&expiraton=relative", code: "unknown_parameter",
            sentence: unknown("expiraton")),
        Refusal(
            query: "?TRIPID=a", code: "unknown_parameter",
            sentence: unknown("TRIPID")),
        Refusal(
            query: "?tripID=a&", code: "empty_parameter",
            sentence: "The query has a parameter without a name; expected NAME=VALUE."),
        Refusal(
            query: "?tripID=a&expiration=soon", code: "invalid_expiration",
            sentence: "expiration: expected absolute or relative."),
        Refusal(
            query: "?tripID=%zz", code: "malformed_target",
            sentence:
                "The request target is malformed: RFC 3986 does not allow one of its characters or percent-encodings; "
                + "expected %XX for other characters."),
    ]

    @Test func `every invalid query is refused with its message and no token`() throws {
        for refusal in Self.refusals {
            let answer = try Curl("\(daemon.url)/token\(refusal.query)", ["--globoff"])
            try expectProblem(answer, status: 400, title: "Bad Request", code: refusal.code, detail: refusal.sentence)
        }
    }

    @Test func `an unknown path gets 404`() throws {
        for path in ["/", "/tokens", "/Token", "/token%2F", "/%74oken", "/healthz/"] {
            try expectProblem(
                try Curl("\(daemon.url)\(path)?tripID=a"), status: 404, title: "Not Found", code: "unknown_path",
                detail: "There is nothing at this path; expected /token, /token/KIND/ID, /token/KIND or /healthz.")
        }
    }

    @Test(arguments: ["/token?tripID=a", "/healthz"])
    func `a method other than GET and HEAD gets 405 with Allow`(path: String) throws {
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
            let answer = try Curl("\(daemon.url)\(path)", ["-X", method])
            #expect(answer.fields["allow"] == "GET, HEAD")
            try expectProblem(
                answer, status: 405, title: "Method Not Allowed", code: "method_not_allowed",
                detail: "The method is not allowed at this path; expected GET, HEAD.")
        }
    }

    @Test func `OPTIONS * gets 405 with the allowed methods`() throws {
        let answer = try Curl("\(daemon.url)", ["-X", "OPTIONS", "--request-target", "*"])
        #expect(answer.status == 405)
        #expect(answer.fields["allow"] == "GET, HEAD")
    }

    @Test func `an unknown method gets 501`() throws {
        try expectProblem(
            try Curl("\(daemon.url)/token?tripID=a", ["-X", "BREW"]), status: 501, title: "Not Implemented",
            code: "unknown_method",
            detail: "The method is not known to this server; expected one of RFC 9110, such as GET.")
    }

    @Test func `a plus sign in a query is not a space`() throws {
        let plus = try Curl("\(daemon.url)/token?tripID=a+b")
        let encoded = try Curl("\(daemon.url)/token?tripID=a%2Bb")
        let space = try Curl("\(daemon.url)/token?tripID=a%20b")
        #expect(plus.status == 200)
        #expect(plus.body == encoded.body)
        #expect(plus.body != space.body)
    }

    private func expectProblem(_ answer: Curl, status: Int, title: String, code: String, detail: String) throws {
        #expect(answer.status == status)
        #expect(answer.fields["content-type"] == "application/problem+json")
        #expect(answer.fields["cache-control"] == "no-store")
        #expect(answer.fields["x-content-type-options"] == "nosniff")
        let json = try answer.json()
        #expect(Set(json.keys) == ["type", "title", "status", "detail", "code"])
        #expect(json["type"] as? String == "about:blank")
        #expect(json["title"] as? String == title)
        #expect(json["status"] as? Int == status)
        #expect(json["code"] as? String == code)
        #expect(json["detail"] as? String == detail)
    }
}
