import TestSupport
import Foundation
import Testing

/// The system clock jumps while the real binary runs: `faketime` does that to one process.
@Suite(.blocking) struct ClockTests {
    let scratch: Scratch
    let key: ServiceAccountFile
    let clock: FakeClock

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
        clock = try FakeClock(in: scratch)
    }

    private func daemon() throws -> DaemonProcess {
        let own = ["TOKEN_PROVIDER_LISTEN": "127.0.0.1:0", "TOKEN_PROVIDER_CREDENTIALS": key.path]
        return try DaemonProcess(["serve"], environment: clock.environment.merging(own) { $1 }, scratch: scratch)
    }

    /// A token, and its `iat` and `exp`.
    private func token(_ daemon: DaemonProcess) throws -> (text: String, issuedAt: Int, expiresAt: Int) {
        let text = try #require(try Curl("\(daemon.url)/token?tripID=a").json()["TRIP_TOKEN_KEY"] as? String)
        let claims = try JSONWebToken.claims(of: text)
        return (text, try #require(claims["iat"] as? Int), try #require(claims["exp"] as? Int))
    }

    @Test(arguments: [3600, -3600, 86_400, -86_400])
    func `after a clock jump, tokens have the times of the new clock`(offset: Int) throws {
        let daemon = try daemon()
        let first = try token(daemon)
        #expect(try token(daemon).text == first.text)
        for step in [offset, 0] {
            try clock.set(Double(step))
            let began = Int(Date().timeIntervalSince1970) + step
            let new = try token(daemon)
            let ended = Int(Date().timeIntervalSince1970) + step
            // A new token with new times: backdated by five minutes, and valid for fifty-five more.
            #expect((began - 301...ended - 299).contains(new.issuedAt))
            #expect(new.expiresAt - new.issuedAt == 3600)
            // Back at the first time, a token signed in the same second may be identical.
            #expect(step == 0 || new.text != first.text)
            #expect(try token(daemon).text == new.text)
        }
        #expect(try daemon.end() == 0)
    }

    @Test func `without signatures, no expiry that has passed is announced`() throws {
        let environments = try [clock.environment, BrokenSignatures(in: scratch).environment]
        let environment = environments[0].merging(environments[1]) { "\($0):\($1)" }
        let path = try scratch.write(
            "token-provider.yaml",
            """
            {listen: "127.0.0.1:0", callers: none, credentials: \(key.path),
            token: {lifetime: 20m, backdate: 0s, client_margin: 5m}}
            """)
        let daemon = try DaemonProcess(["serve", "--config", path], environment: environment, scratch: scratch)
        let first = try token(daemon)
        try scratch.write("order", "fails")
        // Announced is an expiry after fifteen minutes.
        try clock.set(840)
        #expect(try token(daemon).text == first.text)
        try clock.set(960)
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 503)
        #expect(try daemon.end() == 0)
    }

    @Test func `a cached token is reused only while enough lifetime is left`() throws {
        let daemon = try daemon()
        let first = try token(daemon)
        try clock.set(600)
        #expect(try token(daemon).text == first.text)
        try clock.set(1700)
        #expect(try token(daemon).text != first.text)
    }
}
