import StrictJSON

extension TokenAnswer {
    /// Seconds of a token whose answer does not say (RFC 6749 section 5.1 leaves it to the endpoint's documentation): short,
    /// since another token costs little.
    static let unstatedLifetime: Int64 = 300
    /// The longest lifetime that is believed, in seconds: Google's own limit.
    static let longestLifetime: Int64 = 43_200

    /// The access token of a token endpoint (RFC 6749 section 5.1, RFC 8693 section 2.2.1), asked for at `now`, in seconds
    /// since the epoch.
    func accessToken(at now: Int64) throws(AccessTokenError) -> AccessToken {
        let members = try object()
        let value = try token("access_token", in: members)
        // RFC 6749 section 7.1: a token of an unknown type must not be used.
        if case .string(let type)? = members["token_type"], type.lowercased() != "bearer" {
            throw error("answered with a token_type other than Bearer; expected Bearer")
        }
        return AccessToken(value: value, expiresAt: now + (try lifetime(members["expires_in"])))
    }

    /// The access token of `generateAccessToken` (IAM Credentials API), received at `now`, in seconds since the epoch.
    func generatedToken(at now: Int64) throws(AccessTokenError) -> AccessToken {
        let members = try object()
        let value = try token("accessToken", in: members)
        let text = try string("expireTime", in: members)
        guard let expiry = Self.epochSeconds(Array(text.utf8)) else {
            throw error("answered with an expireTime that is not a time of RFC 3339 in UTC; expected one")
        }
        guard expiry > now else {
            throw error("answered with an expireTime in the past; expected a later time (check the clock)")
        }
        return AccessToken(value: value, expiresAt: min(expiry, now + Self.longestLifetime))
    }

    private func token(_ name: JSONName, in members: JSONObject) throws(AccessTokenError) -> Secret {
        let text = try string(name, in: members)
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw error(
                "answered with an \(name.text) that holds other characters than a token; expected visible ASCII")
        }
        return Secret(text)
    }

    /// Seconds from 1 to `longestLifetime`: Google's endpoints send a number or a text.
    private func lifetime(_ value: JSONValue?) throws(AccessTokenError) -> Int64 {
        let seconds: Double?
        switch value {
        case nil, .null: return Self.unstatedLifetime
        case .integer(let number): seconds = Double(number)
        case .number(let text): seconds = Double(text)
        case .string(let text): seconds = text.utf8.allSatisfy(Self.isNumeric) ? Double(text) : nil
        default: seconds = nil
        }
        guard let seconds else { throw error("answered with an expires_in that is not a number; expected seconds") }
        guard seconds >= 1 else { throw error("answered with an expires_in below 1; expected seconds to come") }
        return Int64(min(seconds, Double(Self.longestLifetime)))
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
    }

    /// Seconds since the epoch, rounded down, of a time as Google writes it, such as `2026-01-31T09:05:00.123Z`; nil for
    /// another text.
    static func epochSeconds(_ text: [UInt8]) -> Int64? {
        let (seconds, rest) = (text.prefix(19), text.dropFirst(19))
        guard rest.last == UInt8(ascii: "Z") else { return nil }
        let fraction = rest.dropLast()
        let digits = fraction.dropFirst()
        guard fraction.isEmpty || (fraction.first == UInt8(ascii: ".") && (1...9).contains(digits.count)),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return CivilTime.epochSeconds(rfc3339: Array(seconds + [UInt8(ascii: "Z")])[...])
    }
}
