import Testing

@testable import GoogleCredentials
@testable import HTTPClient

struct GoogleAPIErrorTests {
    private func parse(_ body: String, status: Int = 403, type: String = "application/json; charset=UTF-8") throws
        -> GoogleAPIError?
    {
        GoogleAPIError(try LoopbackGoogle.response(status, [("content-type", type)], Array(body.utf8)))
    }

    @Test func `details tell reason, project and delay`() throws {
        let error = try #require(
            try parse(
                #"""
                {"error":{"code":403,"message":"m","status":"PERMISSION_DENIED","details":[
                {"@type":"type.googleapis.com/google.rpc.Help","links":[]},
                {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"SERVICE_DISABLED","domain":"googleapis.com",
                "metadata":{"service":"iamcredentials.googleapis.com","consumer":"projects/123456"}},
                {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"2.5s"}]}}
                """#))
        #expect(error.reason == "SERVICE_DISABLED")
        #expect(error.status == "PERMISSION_DENIED")
        #expect(error.consumer == "projects/123456")
        #expect(error.retryDelay == .seconds(3))
        #expect(error.title(403) == "403 SERVICE_DISABLED")
    }

    @Test func `an error without status and details is read`() throws {
        let error = try #require(try parse(#"{"error":{"code":403,"message":"m"}}"#))
        #expect(error.title(403) == "403 without a status")
        #expect(error.retryDelay == nil)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"error":"invalid_grant"}"#, #"{"error":{"code":404,"message":"m"}}"#,
        #"{"error":{"code":"403","message":"m"}}"#, #"{"error":{"code":403}}"#, #"{"error":{"code":403,"message":1}}"#,
        #"{"error":{"code":403,"message":"m","status":1}}"#, #"{"error":{"code":403,"message":"m","details":{}}}"#,
        #"{"error":{"code":403,"code":403,"message":"m"}}"#, #"{"error":{"code":403,"message":"m"}"#,
    ])
    func `another object is not an error of Google`(body: String) throws {
        #expect(try parse(body) == nil)
    }

    @Test(arguments: ["text/html", "application/jsonx", "application/json, text/html", ""])
    func `another content type is not an error of Google`(type: String) throws {
        #expect(try parse(#"{"error":{"code":403,"message":"m"}}"#, type: type) == nil)
    }

    @Test func `strange details are left out`() throws {
        let error = try #require(
            try parse(
                #"""
                {"error":{"code":403,"message":"m","status":"not a name","details":[1,
                {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"x; rm","metadata":{"consumer":"projects/$(x)"}},
                {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"-1s"}]}}
                """#))
        #expect((error.status, error.reason, error.consumer) == (nil, nil, nil))
        #expect(error.retryDelay == nil)
    }
}

struct RetryAfterTests {
    @Test(arguments: [
        ("0", 0), ("7", 7), ("99999999999999999999", 60), ("61", 60), ("-1", nil), ("", nil), ("1.5", nil), ("+1", nil),
        ("Fri, 15 Jan 2027 08:00:09 GMT", 9), ("Fri, 15 Jan 2027 07:00:00 GMT", 0), ("Fri, 15 Jan 2027", nil),
    ])
    func `seconds and dates are read`(text: String, seconds: Int?) throws {
        let response = try LoopbackGoogle.response(429, [("retry-after", text)], [])
        #expect(RetryAfter.duration(response, at: 1_800_000_000) == seconds.map { .seconds($0) })
    }

    @Test func `nothing is nothing`() throws {
        #expect(RetryAfter.duration(try LoopbackGoogle.response(429, [], []), at: 0) == nil)
    }
}
