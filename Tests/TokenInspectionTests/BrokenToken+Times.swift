/// Times, looked at from 1700000000.
extension BrokenToken {
    static let times: [BrokenToken] = [
        BrokenToken(claim: "iat", nil, "refused time_missing: iat is missing"),
        BrokenToken(claim: "exp", nil, "refused time_missing: exp is missing"),
        BrokenToken(
            claim: "exp", "1700003300.5",
            "refused time_fractional: exp is 1700003300.5, with a fraction or an exponent; expected an integer"),
        BrokenToken(
            claim: "iat", "1.6999997e9",
            "refused time_fractional: iat is 1.6999997e9, with a fraction or an exponent; expected an integer"),
        BrokenToken(
            claim: "exp", #""1700003300""#,
            "refused time_not_number: exp is the string \"1700003300\"; expected a number"),
        BrokenToken(claim: "exp", "true", "refused time_not_number: exp is true; expected a number"),
        BrokenToken(
            claim: "iat", "1699999700000",
            "refused time_in_milliseconds: iat is 1699999700000, in milliseconds; expected seconds"
        ),
        BrokenToken(
            "milliseconds that have passed, too",
            TokenDraft { ($0.claims["iat"], $0.claims["exp"]) = ("1699990000000", "1699993600000") }.token,
            "refused time_in_milliseconds: iat is 1699990000000, in milliseconds; expected seconds",
            "refused time_in_milliseconds: exp is 1699993600000, in milliseconds; expected seconds",
            "refused expired: the token expired 1 h ago"),
        BrokenToken(claim: "exp", "-1", "refused time_out_of_range: exp is -1; expected a time from 1970 to 9999"),
        BrokenToken(
            claim: "iat", "99999999999999999999999",
            "refused time_out_of_range: iat is 99999999999999999999999; expected a time from 1970 to 9999"),
        BrokenToken(claim: "exp", "1700000000", "refused expired: the token expired 0 s ago"),
        BrokenToken(claim: "exp", "1699999701", "refused expired: the token expired 4 min ago"),
        BrokenToken(
            "an hour and a second",
            TokenDraft { ($0.claims["iat"], $0.claims["exp"]) = ("1700000001", "1700003601") }.token,
            "refused expires_too_late: exp is 3601 s ahead; Fleet Engine accepts at most 3600 s",
            "warning issued_in_future: iat is 1 s in the future; Fleet Engine tolerates about 10 min"),
        BrokenToken(
            "signed for a day",
            TokenDraft { ($0.claims["iat"], $0.claims["exp"]) = ("1700000000", "1700086400") }.token,
            "refused expires_too_late: exp is 86400 s ahead; Fleet Engine accepts at most 3600 s",
            "warning lifetime_too_long: exp is 86400 s after iat; AIP-4111 allows at most 3600 s"),
        BrokenToken(
            claim: "iat", "1699990000",
            "warning lifetime_too_long: exp is 13300 s after iat; AIP-4111 allows at most 3600 s"),
        BrokenToken(
            "iat and exp taken for each other",
            TokenDraft { ($0.claims["iat"], $0.claims["exp"]) = ("1700000500", "1700000100") }.token,
            "refused expires_before_issued: exp is not after iat",
            "warning issued_in_future: iat is 8 min in the future; Fleet Engine tolerates about 10 min"),
        BrokenToken(
            claim: "iat", "1700000601",
            "refused issued_in_future: iat is 10 min in the future: Fleet Engine tolerates only about 10 min"
        ),
        BrokenToken(claim: "nbf", "1700000060", "warning not_yet_valid: nbf is 1 min in the future"),
    ]
}
