import TestSupport
import Foundation
import Testing

/// Tokens of the real binary, checked with third-party verifiers.
@Suite(.blocking, .tags(.addressSanitizer)) struct TokenTests {
    let scratch: Scratch
    let key: ServiceAccountFile
    let daemon: DaemonProcess

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
        daemon = try DaemonProcess(scratch: scratch, key: key)
    }

    @Test(arguments: [
        ("tripID", "consumer", "TRIP_TOKEN_KEY", "trip-1"),
        ("vehicleID", "driver", "VEHICLE_TOKEN_KEY", "véhicule 1+2&3"),
    ])
    func `PyJWT, google-auth and openssl accept a token with exactly its claims`(
        parameter: String, kind: String, name: String, id: String
    ) throws {
        let query = try #require(id.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let now = Int(Date().timeIntervalSince1970)
        let answer = try Curl("\(daemon.url)/token?\(parameter)=\(query)")
        #expect(answer.status == 200)
        let json = try answer.json()
        let token = try #require(json[name] as? String)
        #expect(json["TRIP_TOKEN_KEY"] as? String == token)
        #expect(Set(json.keys) == Set([name, "TRIP_TOKEN_KEY", "TOKEN_EXPIRATION"]))
        let arguments = [key.publicKeyPath, token, kind, id, key.account, key.keyID, String(now)]
        try PythonClients.runVerifier("verify_pyjwt.py", arguments)
        try PythonClients.runVerifier("verify_google_auth.py", arguments)
    }

    @Test func `an answer has headers against caching and content sniffing`() throws {
        let answer = try Curl("\(daemon.url)/token?tripID=trip-1")
        #expect(answer.fields["content-type"] == "application/json")
        #expect(answer.fields["cache-control"] == "no-store")
        #expect(answer.fields["x-content-type-options"] == "nosniff")
        #expect(answer.fields["content-length"] == String(answer.body.utf8.count))
        #expect(answer.fields["date"]?.hasSuffix("GMT") == true)
    }

    @Test func `absolute expirations subtract the margin, and relative ones count from now`() throws {
        let absolute = try Curl("\(daemon.url)/token?tripID=trip-2&expiration=absolute").json()
        let now = Int(Date().timeIntervalSince1970)
        let relative = try Curl("\(daemon.url)/token?tripID=trip-2&expiration=relative").json()
        #expect(absolute["TRIP_TOKEN_KEY"] as? String == relative["TRIP_TOKEN_KEY"] as? String)
        let token = try #require(absolute["TRIP_TOKEN_KEY"] as? String)
        let end = try #require(absolute["TOKEN_EXPIRATION"] as? Int)
        #expect(try JSONWebToken.claims(of: token)["exp"] as? Int == end + 60)
        let seconds = try #require(relative["TOKEN_EXPIRATION"] as? Int)
        #expect((end - now - 5...end - now).contains(seconds))
    }

    @Test func `the same id gets the same token, another id gets another`() throws {
        let first = try Curl("\(daemon.url)/token?tripID=trip-3")
        #expect(try Curl("\(daemon.url)/token?trip_id=trip-3").body == first.body)
        #expect(try Curl("\(daemon.url)/token?tripID=trip-4").body != first.body)
        #expect(try Curl("\(daemon.url)/token?vehicleID=trip-3").body != first.body)
    }

    @Test func `HEAD has the headers of GET and no body`() throws {
        let got = try Curl("\(daemon.url)/token?tripID=trip-5")
        let head = try Curl("\(daemon.url)/token?tripID=trip-5", ["--head"])
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        #expect(head.fields["content-length"] == got.fields["content-length"])
    }
}
