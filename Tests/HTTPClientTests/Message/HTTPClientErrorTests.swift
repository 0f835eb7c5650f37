import Testing

@testable import HTTPClient

struct HTTPClientErrorTests {
    @Test(arguments: [
        (HTTPClientError.Cause.cannotConnect(reason: "Connection refused"), "cannot be reached: Connection refused"),
        (.unresolved, "cannot be reached: its name has no address, or no DNS server answers"),
        (.tls(reason: "no"), "cannot be reached over TLS: no"),
        (
            .timeout(.waiting, after: .seconds(5)), "was not contacted: no connection was free for 5.0 seconds"
        ),
        (.timeout(.connecting, after: .milliseconds(20)), "cannot be reached: no connection within 0.02 seconds"),
        (.timeout(.resolving, after: .seconds(3)), "cannot be reached: no answer of DNS within 3.0 seconds"),
        (.timeout(.securing, after: .seconds(3)), "cannot be reached over TLS: no handshake within 3.0 seconds"),
        (.timeout(.answering, after: .seconds(5)), "did not answer in full within 5.0 seconds"),
        (
            .timeout(.late, after: .seconds(5)),
            "did not answer in full within 5.0 seconds, part of which passed until a connection was free"
        ),
        (.tooLarge(part: "a body", limit: 9), "answered with a body of more than 9 bytes"),
        (.redirect(reason: "0 are allowed"), "answered with a redirect that is not followed: 0 are allowed"),
        (.busy(waiting: 3), "was not contacted: 3 requests are already waiting"),
        (.shutDown, "did not answer before the client was shut down"),
        (.other(reason: "no"), "did not answer in full: no"),
    ])
    func `each cause is one sentence that begins with host and port`(cause: HTTPClientError.Cause, end: String) {
        #expect(HTTPClientError(endpoint: "idp.test:443", cause: cause).sentence == "idp.test:443 \(end)")
    }

    @Test func `a missing or wrong library is reported with its remedy`() {
        for (name, reason) in [
            ("libcurl.so.999", "cannot open shared object file: No such file or directory"),
            ("libc.so.6", "libc.so.6: undefined symbol: curl_global_init"),
        ] {
            let error = #expect(throws: HTTPClientUnavailable.self) { try CurlLibrary.load(name) }
            #expect(error?.sentence.hasPrefix("\(name) cannot be loaded: ") == true)
            #expect(error?.sentence.hasSuffix("\(reason); install libcurl4") == true)
        }
    }
}
