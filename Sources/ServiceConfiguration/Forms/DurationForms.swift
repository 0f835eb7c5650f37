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
