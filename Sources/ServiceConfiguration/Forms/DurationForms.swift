extension ScalarForm where Value == Int64 {
    /// A duration of whole seconds within `range`.
    package static func seconds(_ range: ClosedRange<Int64>) -> Self {
        let (least, most) = (DurationText.text(seconds: range.lowerBound), DurationText.text(seconds: range.upperBound))
        return ScalarForm(
            "a duration from \(least) to \(most)", write: DurationText.text(seconds:)
        ) { (text) throws(ValueProblem) in
            let milliseconds = try DurationText.milliseconds(text.text)
            // Times in a token are whole seconds (RFC 7519, section 2, as Fleet Engine reads them).
            guard milliseconds.isMultiple(of: 1000) else { throw ValueProblem("is not a whole number of seconds") }
            return try range.checked(milliseconds / 1000, write: DurationText.text(seconds:))
        }
    }
}

extension ScalarForm where Value == Duration {
    /// A duration within `range`, given in milliseconds.
    package static func milliseconds(_ range: ClosedRange<Int64>) -> Self {
        let write = DurationText.text(milliseconds:)
        return ScalarForm(
            "a duration from \(write(range.lowerBound)) to \(write(range.upperBound))",
            write: { DurationText.text(milliseconds: Int64($0 / .milliseconds(1))) }
        ) { (text) throws(ValueProblem) in
            .milliseconds(try range.checked(DurationText.milliseconds(text.text), write: write))
        }
    }
}

/// Durations as configuration writes them: a whole number and one unit, `500ms`, `10s`, `5m`, `1h`.
package enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]

    /// The milliseconds that `text` means.
    package static func milliseconds(_ text: String) throws(ValueProblem) -> Int64 {
        guard DecimalText.whole(text) == nil else { throw ValueProblem("has no unit (ms, s, m or h)") }
        for unit in units where text.hasSuffix(unit.name) {
            guard let number = DecimalText.whole(text.dropLast(unit.name.count)) else { continue }
            let (product, overflows) = number.multipliedReportingOverflow(by: unit.milliseconds)
            guard !overflows else { throw ValueProblem("is too long") }
            return product
        }
        throw ValueProblem("is not a duration")
    }

    /// The text of a duration of `milliseconds`, in the largest unit that divides it.
    package static func text(milliseconds: Int64) -> String {
        guard milliseconds != 0 else { return "0s" }
        let unit = units.last { milliseconds.isMultiple(of: $0.milliseconds) } ?? ("ms", 1)
        return "\(milliseconds / unit.milliseconds)\(unit.name)"
    }

    /// The text of a duration of `seconds`.
    package static func text(seconds: Int64) -> String {
        text(milliseconds: seconds * 1000)
    }
}
