import Foundation
import TestSupport
import Testing

/// Which bearer tokens a back end is shown beside configured issuers.
@Suite(.blocking, .tags(.addressSanitizer)) struct ForwardAuthTokenTests {
    private static let issuer = #""iss":"https://id.example.com""#
    private static let header = #"{"alg":"RS256","typ":"JWT","kid":"issuer-key"}"#
    private static let claims = #"{\#(issuer),"sub":"user-1","aud":"token-provider","exp":4102444800}"#

    /// Headers and claims of malformed JWTs, by what is wrong with them.
    private static let parts: [(what: String, header: String, claims: String)] = [
        ("a member twice in the header", #"{"alg":"RS256","typ":"a","typ":"b"}"#, claims),
        ("alg twice", #"{"alg":"none","alg":"RS256"}"#, claims),
        ("a member twice in the claims", header, #"{\#(issuer),"sub":"a","sub":"b"}"#),
        ("iss twice, ours first", header, #"{\#(issuer),"iss":"other"}"#),
        ("iss twice, ours last", #"{"typ":"JWT"}"#, #"{"iss":"other",\#(issuer)}"#),
        ("iss twice, ours escaped", "{", #"{"iss":"other","\u0069ss":"https:\/\/\u0069d.example.com"}"#),
        ("deep claims", header, #"{\#(issuer),"x":\#(deep)}"#),
        ("a deep header", #"{"alg":"RS256","x":\#(deep)}"#, claims),
        ("a byte order mark before the claims", header, "\u{FEFF}\(claims)"),
        ("a byte order mark before the header", "\u{FEFF}\(header)", claims),
        ("a header cut off", #"{"typ":"JWT"#, claims),
        ("a comma too many", header, #"{\#(issuer),}"#),
        ("several issuers", header, #"{"iss":["https://id.example.com"]}"#),
    ]
    private static let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)

    let files: CallerFiles
    let backEnd: BackEnd

    init() throws {
        files = try CallerFiles()
        backEnd = try BackEnd()
    }

    @Test func `a malformed token of a configured issuer is never shown`() throws {
        let daemon = try daemon()
        let tokens = try malformedTokens()
        #expect(tokens.count >= 20)
        for (what, token) in tokens {
            let answer = try Curl("\(daemon.url)/token?tripID=allow-1", bearer: token)
            #expect(answer.status == 401, "\(what)")
            #expect(try answer.json()["code"] as? String == "invalid_credentials", "\(what)")
        }
        #expect(try backEnd.seen().questions.isEmpty)
    }

    @Test func `accepted tokens, an unknown issuer's and opaque ones are shown`() throws {
        let daemon = try daemon()
        let foreign = try files.token(["iss": "https://other.example.com"])
        let unnamed = [Self.header, #"{"sub":"user-1"}"#, "x"].map { SignedToken.base64URL(Data($0.utf8)) }
        // As a web framework signs its sessions: JSON, time and signature.
        let session = SignedToken.base64URL(Data(#"{"user":5}"#.utf8)) + ".aIbcdw.c2lnbmF0dXJl"
        let shown = [try files.token(), foreign, unnamed.joined(separator: "."), session, "12|opaque-session"]
        for token in shown {
            #expect(try Curl("\(daemon.url)/token?tripID=allow-1", bearer: token).status == 200, "\(token)")
        }
        #expect(try Curl("\(daemon.url)/token?tripID=allow-1").status == 200)
        #expect(try backEnd.seen().questions.flatMap { $0.values("authorization") } == shown.map { "Bearer \($0)" })
    }

    // MARK: -

    private func daemon() throws -> DaemonProcess {
        try files.daemon(
            """
            forward_auth: {url: "\(backEnd.url)"}
            limits: {failure_rate: 0}
            rules:
              - {name: riders, kinds: [consumer], forward_auth: true}
            """)
    }

    private func malformedTokens() throws -> [(what: String, token: String)] {
        let valid = try files.token()
        let (input, signature) = (valid.prefix { $0 != "." }, valid.split(separator: ".")[2])
        let unsigned = valid.dropLast(signature.count)
        let encoded = Self.parts.map { what, header, claims in
            let parts = [header, claims].map { SignedToken.base64URL(Data($0.utf8)) }
            return (what, "\(parts[0]).\(parts[1]).\(signature)")
        }
        let wide = SignedToken.base64URL(try #require(Self.claims.data(using: .utf16LittleEndian)))
        // The header of an encrypted token may repeat the issuer (RFC 7519 section 5.3).
        let encrypted = SignedToken.base64URL(Data(#"{"alg":"dir","enc":"A256GCM"}"#.utf8))
        return encoded + [
            ("no signature", String(unsigned)), ("a padded signature", "\(valid)=="),
            ("stray bits", String(valid.dropLast()) + "B"), ("a slash", String(valid.dropLast()) + "/"),
            ("two parts", String(unsigned.dropLast())), ("four parts", "\(valid).\(signature)"),
            ("UTF-16", "\(input).\(wide).\(signature)"), ("an encrypted token", "\(encrypted)..aaaa.aaaa.aaaa"),
        ]
    }
}
