/// Which scalars without quotes are texts for every YAML reader. The core schema (YAML 1.2.2, section 10.3.2) and the types
/// of YAML 1.1 (yaml.org/type) read the others as other types, and not always as the same; some readers also ignore case.
package enum PlainScalar {
    /// Nulls, booleans, numbers without digits, and the marks of merges and default values, in lower case.
    private static let words: Set<String> = [
        "", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", ".nan", ".inf", "+.inf", "-.inf", "<<",
        "=",
    ]

    /// Whether the scalar is a text for all of them.
    package static func isText(_ text: String) -> Bool {
        // All other types are written in ASCII.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return true }
        guard !words.contains(text.lowercased()) else { return false }
        return !isNumber(text) && !isDate(text)
    }

    /// A sign or none, and digits of base 10, 2, 8, 16 or 60, with `_` between them.
    private static func isNumber(_ text: String) -> Bool {
        let unsigned = text.hasPrefix("+") || text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard let first = unsigned.first, isDigit(first) || first == "." else { return false }
        let number = unsigned.filter { $0 != "_" }.lowercased()
        return isDecimal(number) || unsigned.count > 2 && isOfOtherBase(number) || isSexagesimal(number)
    }

    /// ( "." [0-9]+ | [0-9]+ ( "." [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
    private static func isDecimal(_ number: String) -> Bool {
        let mantissa = number.prefix { $0 != "e" }
        let exponent = number[mantissa.endIndex...].dropFirst()
        guard mantissa.endIndex == number.endIndex || areDigits(exponent.drop { $0 == "-" || $0 == "+" }) else {
            return false
        }
        let parts = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return mantissa.contains(where: isDigit) && parts.allSatisfy { $0.allSatisfy(isDigit) }
    }

    /// 0x, 0o or 0b, and the base's digits.
    private static func isOfOtherBase(_ number: String) -> Bool {
        let bases = [(prefix: "0x", radix: 16), (prefix: "0o", radix: 8), (prefix: "0b", radix: 2)]
        guard let base = bases.first(where: { number.hasPrefix($0.prefix) }) else { return false }
        let digits = number.dropFirst(2)
        return digits.allSatisfy { digit in digit.hexDigitValue.map { $0 < base.radix } ?? false }
    }

    /// Digits and pairs of digits under 60 with colons between them, such as 12:30, and a fraction.
    private static func isSexagesimal(_ number: String) -> Bool {
        let whole = number.prefix { $0 != "." }
        let parts = whole.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count > 1, parts.allSatisfy(areDigits) else { return false }
        return parts.dropFirst().allSatisfy { $0.count <= 2 && (Int($0) ?? 60) < 60 }
            && number[whole.endIndex...].dropFirst().allSatisfy(isDigit)
    }

    /// A year, a month and a day, with or without a time of day.
    private static func isDate(_ text: String) -> Bool {
        let date = text.prefix { isDigit($0) || $0 == "-" }
        let parts = date.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, parts.allSatisfy(areDigits) else { return false }
        guard parts[1].count <= 2, parts[2].count <= 2 else { return false }
        let rest = text[date.endIndex...]
        guard let mark = rest.first else { return true }
        return "Tt \t".contains(mark) && rest.contains(":")
    }

    private static func areDigits(_ text: Substring) -> Bool { !text.isEmpty && text.allSatisfy(isDigit) }

    private static func isDigit(_ character: Character) -> Bool { character.isWholeNumber }
}
