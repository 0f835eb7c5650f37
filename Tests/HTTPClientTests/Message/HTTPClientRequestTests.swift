import Testing

@testable import HTTPClient

struct HTTPClientRequestTests {
    @Test func `a field's name is lower-cased and its value trimmed`() throws {
        let field = try HTTPClientField("X-Name", " \ta b\t ")
        #expect(field.name == "x-name")
        #expect(field.value == "a b")
        #expect(try HTTPClientField("x", "  ").value == "")
    }

    @Test func `invalid bytes in a field's name or value are refused`() {
        let token = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        for byte in UInt8(0)...127 {
            let text = "a\(Character(Unicode.Scalar(byte)))b"
            #expect(((try? HTTPClientField(text, "")) != nil) == token.contains(byte), "\(byte)")
            #expect(((try? HTTPClientField("a", text)) != nil) == (byte == 9 || (byte >= 32 && byte != 127)), "\(byte)")
        }
        #expect(throws: HTTPClientFieldError.badName) { try HTTPClientField("", "") }
        #expect(throws: HTTPClientFieldError.badName) { try HTTPClientField("\u{E4}", "") }
    }

    @Test(arguments: ["Host", "content-length", "Transfer-Encoding", "Connection", "Expect", "TE", "Accept-Encoding"])
    func `a field that frames or routes the message is refused`(name: String) throws {
        let limits = try HTTPClientLimits(
            connectTimeout: .seconds(1), totalTimeout: .seconds(1), maxBodyBytes: 0)
        let url = try OutgoingURL("https://idp.test/")
        let field = try HTTPClientField(name, "x")
        let error = #expect(throws: HTTPClientFieldError.self) {
            try HTTPClientRequest(url: url, fields: [field], limits: limits)
        }
        #expect(error?.sentence == "the header \(field.name) is set automatically; expected another header")
    }

    @Test func `the error for a field does not contain its value`() {
        #expect(
            HTTPClientFieldError.badName.sentence
                == "the header name is not a token (RFC 9110); expected letters, digits and hyphens")
        let error = #expect(throws: HTTPClientFieldError.self) { try HTTPClientField("X-A", "canary\r\nHost: x") }
        #expect(error?.sentence == "the value of the header x-a holds a control character; expected none")
    }

    @Test func `limits out of range are refused with the expected range`() {
        func sentence(_ connect: Duration, _ total: Duration, _ body: Int, _ redirects: Int) -> String? {
            do throws(HTTPClientLimitError) {
                _ = try HTTPClientLimits(
                    connectTimeout: connect, totalTimeout: total, maxBodyBytes: body, maxRedirects: redirects)
                return nil
            } catch {
                return error.sentence
            }
        }
        let second = Duration.seconds(1)
        #expect(sentence(second, second, 0, 0) == nil)
        #expect(sentence(.milliseconds(1), .seconds(600), 67_108_864, 10) == nil)
        #expect(
            sentence(.zero, second, 0, 0)
                == "the time to connect is 0.0 seconds; expected 0.001 seconds to 600.0 seconds")
        #expect(
            sentence(second, .seconds(0.5), 0, 0)
                == "the time for an answer is 0.5 seconds; expected 1.0 seconds to 600.0 seconds")
        #expect(sentence(second, second, -1, 0) == "the largest body is -1; expected 0 to 67108864")
        #expect(sentence(second, second, 0, 11) == "the number of redirects is 11; expected 0 to 10")
    }

    @Test func `settings out of range are refused with the expected range`() {
        func sentence(_ connections: Int, _ perHost: Int, _ waiting: Int) -> String? {
            do throws(HTTPClientLimitError) {
                _ = try HTTPClientSettings(
                    maxConnections: connections, maxConnectionsPerHost: perHost, maxWaiting: waiting)
                return nil
            } catch {
                return error.sentence
            }
        }
        #expect(sentence(1, 1, 1) == nil)
        #expect(sentence(0, 1, 1) == "the number of connections is 0; expected 1 to 256")
        #expect(sentence(4, 5, 1) == "the number of connections to one host is 5; expected 1 to 4")
        #expect(sentence(4, 4, 0) == "the number of waiting requests is 0; expected 1 to 65536")
    }

    @Test(arguments: [
        (Duration.zero, Int32(0)), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2),
        (.seconds(-5), 0),
        (.seconds(3600), 3_600_000), (.seconds(1 << 40), 2_147_483_647),
    ])
    func `a wait is rounded up to milliseconds and never negative`(duration: Duration, milliseconds: Int32) {
        #expect(duration.wholeMilliseconds == milliseconds)
    }
}
