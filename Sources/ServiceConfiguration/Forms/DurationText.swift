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
