import StrictJSON

/// `iat`, `nbf` and `exp`.
extension TokenFinding {
    private static let setTimes = "write iat and exp as whole seconds since 1970, exp 3600 or less after iat"

    static func timeMissing(_ name: String) -> TokenFinding {
        TokenFinding(.timeMissing, .refused, name, "\(name) is missing", fix: setTimes)
    }

    static func timeNotNumber(_ name: String, _ value: JSONValue) -> TokenFinding {
        let type =
            switch value {
            case .string(let text): "the string \(Quoted.text(text))"
            default: Quoted.value(value)
            }
        return TokenFinding(
            .timeNotNumber, .refused, name, "\(name) is \(type), not a number",
            fix: setTimes)
    }

    static func timeFractional(_ name: String, _ text: String) -> TokenFinding {
        TokenFinding(
            .timeFractional, .refused, name,
            "\(name) is \(Quoted.value(.number(text))), with a fraction or an exponent, not an integer", fix: setTimes)
    }

    static func timeInMilliseconds(_ name: String, _ number: Int64) -> TokenFinding {
        TokenFinding(
            .timeInMilliseconds, .refused, name, "\(name) is \(number): milliseconds, where seconds are due",
            fix: "divide by 1000 and leave the fraction out")
    }

    static func timeOutOfRange(_ name: String, _ value: JSONValue) -> TokenFinding {
        TokenFinding(
            .timeOutOfRange, .refused, name, "\(name) is \(Quoted.value(value)), which is no time from 1970 to 9999",
            fix: setTimes)
    }

    static func expired(by seconds: Int64) -> TokenFinding {
        TokenFinding(
            .expired, .refused, "exp", "the token expired \(RelativeTime.span(seconds)) ago",
            fix: "fetch a new token before exp; one that is kept must be thrown away in time")
    }

    static func expiresTooLate(in seconds: Int64) -> TokenFinding {
        TokenFinding(
            .expiresTooLate, .refused, "exp",
            "exp is \(seconds) s ahead, and Fleet Engine accepts no more than \(TokenPolicy.maxLifetime) s",
            fix: "set exp to at most an hour from now, better five minutes less, and look at this machine's clock")
    }

    static let expiresBeforeIssued = TokenFinding(
        .expiresBeforeIssued, .refused, "exp", "exp is not after iat", fix: setTimes)

    static func lifetimeTooLong(_ seconds: Int64) -> TokenFinding {
        TokenFinding(
            .lifetimeTooLong, .warning, "exp",
            "exp is \(seconds) s after iat, and AIP-4111 wants no more than \(TokenPolicy.maxLifetime) s",
            fix: "set exp to iat + \(TokenPolicy.maxLifetime)")
    }

    /// Fleet Engine tolerates about ten minutes.
    static func issuedInFuture(by seconds: Int64) -> TokenFinding {
        let isRefused = seconds > TokenPolicy.maxBackdate
        return TokenFinding(
            .issuedInFuture, isRefused ? .refused : .warning, "iat",
            "iat lies \(RelativeTime.span(seconds)) in the future"
                + (isRefused ? ", and Fleet Engine tolerates about 10 min" : "; Fleet Engine tolerates about 10 min"),
            fix: "set the signing machine's clock, and set iat back by five minutes")
    }

    static func notYetValid(for seconds: Int64) -> TokenFinding {
        TokenFinding(
            .notYetValid, .warning, "nbf", "nbf lies \(RelativeTime.span(seconds)) in the future",
            fix: "leave nbf out; Fleet Engine does not ask for it")
    }
}
