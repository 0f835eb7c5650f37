import StrictJSON

/// The times of a token in seconds since the epoch, as they were meant even where they are written wrongly.
package struct TokenTimes: Hashable, Sendable {
    /// `iat`; nil where nothing was meant.
    package let issuedAt: Int64?
    /// `nbf`; nil where nothing was meant.
    package let notBefore: Int64?
    /// `exp`; nil where nothing was meant.
    package let expiresAt: Int64?
    /// When it was looked at.
    package let now: Int64

    /// For example `expires in 12 min`; nil where there is no end.
    package var phrase: String? {
        expiresAt.map { end in
            end > now ? "expires in \(RelativeTime.span(end - now))" : "expired \(RelativeTime.span(now - end)) ago"
        }
    }
}

/// A time among the claims (NumericDate, RFC 7519 section 2; Fleet Engine: an integer).
struct TimeClaim {
    /// Later numbers are milliseconds: as seconds they would lie beyond the year 5138.
    private static let firstMillisecond: Int64 = 100_000_000_000

    let meant: Int64?
    let finding: TokenFinding?

    init(_ name: String, _ value: JSONValue?) {
        switch value {
        case nil: (meant, finding) = (nil, .timeMissing(name))
        case .integer(let number): (meant, finding) = Self.read(number, name)
        case .number(let text):
            meant = Self.whole(text)
            finding = meant == nil ? .timeOutOfRange(name, .number(text)) : .timeFractional(name, text)
        case .string(let text):
            meant = Int64(text).flatMap { Self.read($0, name).meant }
            finding = .timeNotNumber(name, .string(text))
        case .some(let other): (meant, finding) = (nil, .timeNotNumber(name, other))
        }
    }

    private static func read(_ number: Int64, _ name: String) -> (meant: Int64?, TokenFinding?) {
        guard (0...CivilTime.last * 1000).contains(number) else {
            return (nil, .timeOutOfRange(name, .integer(number)))
        }
        guard number < firstMillisecond else { return (number / 1000, .timeInMilliseconds(name, number)) }
        return (number, nil)
    }

    /// The whole seconds of a number with a fraction or an exponent.
    private static func whole(_ text: String) -> Int64? {
        guard text.utf8.count <= 64, let number = Double(text), number >= 0, number < Double(firstMillisecond) else {
            return nil
        }
        return Int64(number)
    }
}
