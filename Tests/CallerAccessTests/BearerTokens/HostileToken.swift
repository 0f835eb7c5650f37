import CallerAccess
import StrictJSON
import Testing

/// A token that must be refused, and the fault that it must be refused with.
struct HostileToken: Sendable, CustomTestStringConvertible {
    let fault: BearerTokenFault
    let testDescription: String
    private let make: @Sendable (TestIssuer) throws -> [UInt8]

    func token(_ issuer: TestIssuer) throws -> [UInt8] {
        try make(issuer)
    }

    private static func header(_ fault: BearerTokenFault, _ changes: [String: String?]) -> HostileToken {
        HostileToken(fault: fault, testDescription: "\(fault.rawValue): header \(changes)") {
            try $0.token(header: changes)
        }
    }

    private static func claims(_ fault: BearerTokenFault, _ name: String, _ values: [String?]) -> [HostileToken] {
        values.map { value in
            HostileToken(fault: fault, testDescription: "\(fault.rawValue): \(name) \(value ?? "left out")") {
                try $0.token(claims: [name: value])
            }
        }
    }

    private static func edited(
        _ fault: BearerTokenFault, _ what: String, _ edit: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> HostileToken {
        HostileToken(fault: fault, testDescription: "\(fault.rawValue): \(what)") { try edit($0.token()) }
    }

    private static func texts(_ fault: BearerTokenFault, header: String? = nil, claims: String? = nil) -> HostileToken {
        HostileToken(fault: fault, testDescription: "\(fault.rawValue): \((header ?? claims ?? "").prefix(40))") {
            try $0.token(headerText: header ?? $0.headerText(), claimsText: claims ?? $0.claimsText())
        }
    }

    static let all = parts + objects + headers + issuers + audiences + principals + times

    private static let parts: [HostileToken] = [
        edited(.tooLong, "a byte beyond the most") { $0 + [UInt8](repeating: 0x41, count: 16_385 - $0.count) },
        edited(.notThreeParts, "nothing") { _ in [] },
        edited(.notThreeParts, "two parts") { Array($0.prefix { $0 != 0x2E } + [0x2E]) },
        edited(.notThreeParts, "four parts") { $0 + [0x2E] },
        edited(.encrypted, "five parts") { $0 + [0x2E, 0x2E] },
        edited(.notThreeParts, "six parts") { $0 + [0x2E, 0x2E, 0x2E] },
        edited(.notBase64URL, "padding") { $0 + [0x3D] },
        edited(.notBase64URL, "white space") { $0 + [0x20] },
        edited(.notBase64URL, "NUL before it") { [0] + $0 },
        edited(.notBase64URL, "stray bits") { $0.dropLast() + [0x42] },
        edited(.signatureWrong, "no signature") { token in
            Array(token.dropLast(token.split(separator: 0x2E)[2].count))
        },
        edited(.signatureWrong, "a signature one byte longer") { token in
            let signature = token.split(separator: 0x2E)[2]
            let longer = (try? Base64URL.decode(signature)).map { Base64URL.encode($0 + [0]) } ?? []
            return token.dropLast(signature.count) + longer
        },
    ]

    private static let objects: [HostileToken] = [
        texts(.notJSON, header: ""), texts(.notJSON, header: "{"), texts(.notJSON, claims: "{} x"),
        texts(.notJSON, claims: "\u{FEFF}{}"),
        texts(.repeatedMember, header: #"{"alg":"RS256","alg":"none"}"#),
        texts(.repeatedMember, claims: #"{"iss":"x","\u0069ss":"y"}"#),
        texts(.nestedTooDeep, claims: String(repeating: "[", count: 1600)),
        texts(.nestedTooDeep, header: #"{"a":"# + String(repeating: "[", count: 16)),
        texts(.notObject, header: "[]"), texts(.notObject, claims: "null"), texts(.notObject, claims: #""iss""#),
    ]

    private static let headers: [HostileToken] = [
        header(.criticalExtension, ["crit": #"["exp"]"#]), header(.criticalExtension, ["crit": "[]"]),
        header(.criticalExtension, ["crit": "null"]),
        header(.unencodedPayload, ["b64": "false"]), header(.unencodedPayload, ["b64": "true"]),
        header(.algorithmMalformed, ["alg": nil]), header(.algorithmMalformed, ["alg": "null"]),
        header(.algorithmMalformed, ["alg": #"["RS256"]"#]),
        header(.algorithmNotAllowed, ["alg": #""none""#]), header(.algorithmNotAllowed, ["alg": #""HS256""#]),
        header(.algorithmNotAllowed, ["alg": #""rs256""#]), header(.algorithmNotAllowed, ["alg": #""RS256 ""#]),
        header(.algorithmNotAllowed, ["alg": #""""#]), header(.algorithmNotAllowed, ["alg": #""PS256""#]),
        header(.algorithmNotOfKey, ["alg": #""RS384""#]),
        header(.keyIDMalformed, ["kid": "1"]), header(.keyIDMalformed, ["kid": "null"]),
        header(.keyIDMalformed, ["kid": #"["k1"]"#]),
        header(.keyUnknown, ["kid": #""k2""#]), header(.keyUnknown, ["kid": #""""#]),
        header(.keyUnknown, ["kid": #""\#u{212A}1""#]), header(.keyUnknown, ["kid": #""../../dev/null""#]),
        header(.keyUnknown, ["kid": "\"\(String(repeating: "k", count: 10_000))\""]),
    ]

    private static let issuers =
        claims(.issuerMalformed, "iss", [nil, "null", "7", #"["https://id.example"]"#])
        + claims(.issuerUnknown, "iss", [#""""#, #""https://id.example/""#, #""https://ID.example""#])

    private static let audiences =
        claims(.audienceMissing, "aud", [nil])
        + claims(.audienceMalformed, "aud", ["null", "7", "{}", #"["fleet",7]"#, #"[["fleet"]]"#])
        + claims(.audienceWrong, "aud", [#""""#, #""flee""#, #""fleet ""#, #""Fleet""#, "[]", #"["fleets","x"]"#])

    private static let principals = claims(
        .principalTooLong, "sub",
        ["\"\(String(repeating: "s", count: 257))\"", "\"\(String(repeating: "ü", count: 129))\""])

    private static let times: [HostileToken] = {
        let malformed = [
            "null", "\"1800000000\"", "-1", "-0.5", "253402300800", "253402300800.0", "2534023008e2",
            "9223372036854775808", "1e400", "-1e400", "1e99999999999999999999",
        ]
        return claims(.expiryMissing, "exp", [nil])
            + claims(.expiryMalformed, "exp", malformed + ["[1800000000]", "true"])
            + claims(.notBeforeMalformed, "nbf", malformed) + claims(.issuedAtMalformed, "iat", malformed)
            + claims(.expired, "exp", ["0", "\(TestIssuer.now - 60)", "1e-400", "\(TestIssuer.now - 60).999"])
            + claims(
                .notYetValid, "nbf",
                ["\(TestIssuer.now + 61)", "253402300799", "\(TestIssuer.now + 60).001", "2.5e11"])
            + claims(.issuedInFuture, "iat", ["\(TestIssuer.now + 61)", "\(TestIssuer.now + 60).001"])
    }()
}
