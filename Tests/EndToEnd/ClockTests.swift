import Foundation
import Testing

/// The system clock jumps while the real binary runs: `faketime` does that to one process.
@Suite(.blocking) struct ClockTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    private func set(_ offset: Int) throws {
        try scratch.write("new-clock", "\(offset < 0 ? "" : "+")\(offset)\n")
        try #require(rename(scratch.path("new-clock"), scratch.path("clock")) == 0)
    }

    private func daemon() throws -> DaemonProcess {
        try set(0)
        let own = ["TOKEN_PROVIDER_LISTEN": "127.0.0.1:0", "TOKEN_PROVIDER_CREDENTIALS": key.path]
        let environment = try Self.faketime(reading: scratch.path("clock")).merging(own) { $1 }
        return try DaemonProcess(["serve"], environment: environment, scratch: scratch)
    }

    /// The environment of a daemon whose system clock is ahead by the seconds in a file.
    static func faketime(reading file: String) throws -> [String: String] {
        // In a folder named after the architecture.
        let library = try #require(
            FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
                .map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }.first(where: FileManager.default.fileExists),
            "expected the package faketime")
        return [
            "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        ]
    }

    /// A token, and its `iat` and `exp`.
    private func token(_ daemon: DaemonProcess) throws -> (text: String, issuedAt: Int, expiresAt: Int) {
        let text = try #require(try Curl("\(daemon.url)/token?tripID=a").json()["TRIP_TOKEN_KEY"] as? String)
        let part = try #require(text.split(separator: ".").dropFirst().first)
            .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padded = part + String(repeating: "=", count: (4 - part.count % 4) % 4)
        let data = try #require(Data(base64Encoded: padded))
        let claims = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return (text, try #require(claims["iat"] as? Int), try #require(claims["exp"] as? Int))
    }

    @Test(arguments: [3600, -3600, 86_400, -86_400])
    func `after a clock jump, tokens have the times of the new clock`(offset: Int) throws {
        let daemon = try daemon()
        let first = try token(daemon)
        #expect(try token(daemon).text == first.text)
        for step in [offset, 0] {
            try set(step)
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

    @Test func `a cached token is reused only while enough lifetime is left`() throws {
        let daemon = try daemon()
        let first = try token(daemon)
        try set(600)
        #expect(try token(daemon).text == first.text)
        try set(1700)
        #expect(try token(daemon).text != first.text)
    }
}
