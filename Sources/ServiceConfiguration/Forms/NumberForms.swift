extension ScalarForm where Value == Int {
    /// A whole number within `range`.
    package static func whole(_ range: ClosedRange<Int>) -> Self {
        ScalarForm(
            "a whole number from \(range.lowerBound) to \(range.upperBound)", isPlain: true
        ) { (text) throws(ValueProblem) in
            guard let number = DecimalText.whole(text.text) else {
                throw ValueProblem(DecimalText.faultOfWhole(text.text))
            }
            return try range.checked(Int(number)) { "\($0)" }
        }
    }

    /// A size within `range`, in bytes.
    package static func size(_ range: ClosedRange<Int>) -> Self {
        let (least, most) = (SizeText.text(bytes: range.lowerBound), SizeText.text(bytes: range.upperBound))
        return ScalarForm("a size from \(least) to \(most)", write: SizeText.text) { (text) throws(ValueProblem) in
            try range.checked(SizeText.bytes(text.text), write: SizeText.text)
        }
    }
}

extension ScalarForm where Value == Double {
    /// A number within `range`.
    package static func fraction(_ range: ClosedRange<Double>) -> Self {
        ScalarForm(
            "a number from \(DecimalText.text(range.lowerBound)) to \(DecimalText.text(range.upperBound))",
            isPlain: true, write: DecimalText.text
        ) { (text) throws(ValueProblem) in
            guard let number = DecimalText.fraction(text.text) else {
                throw ValueProblem(DecimalText.faultOfFraction(text.text))
            }
            return try range.checked(number, write: DecimalText.text)
        }
    }
}

extension ScalarForm where Value == UInt32 {
    /// The permissions of a file in octal digits.
    static var permissions: Self {
        ScalarForm("permissions in octal digits, such as 0660") { (text) throws(ValueProblem) in
            let digits = text.text
            let isOctal = digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
            guard (3...4).contains(digits.utf8.count), isOctal, let mode = UInt32(digits, radix: 8), mode <= 0o777
            else {
                throw ValueProblem("is not a file mode")
            }
            return mode
        }
    }
}

extension ScalarForm where Value == Bool {
    /// `true` or `false`; no other YAML word for them.
    static var boolean: Self {
        ScalarForm("true or false", isPlain: true) { (text) throws(ValueProblem) in
            guard let value = Bool(text.text) else { throw ValueProblem("is not a boolean") }
            return value
        }
    }
}

extension ClosedRange {
    /// `value` if it is in the range; `write` names the bounds in errors.
    package func checked(_ value: Bound, write: (Bound) -> String) throws(ValueProblem) -> Bound {
        guard value <= upperBound else { throw ValueProblem("is over \(write(upperBound))") }
        guard value >= lowerBound else { throw ValueProblem("is under \(write(lowerBound))") }
        return value
    }
}

/// Sizes as configuration writes them: bytes, or a whole number of `KiB`, `MiB` or `GiB`.
enum SizeText {
    private static let units: [(name: String, bytes: Int64)] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)]

    /// The bytes that `text` means.
    static func bytes(_ text: String) throws(ValueProblem) -> Int {
        if let bytes = DecimalText.whole(text) { return Int(bytes) }
        for unit in units where text.utf8.suffix(unit.name.utf8.count).elementsEqual(unit.name.utf8) {
            guard let number = DecimalText.whole(text.dropLast(unit.name.count)) else { continue }
            let (product, overflows) = number.multipliedReportingOverflow(by: unit.bytes)
            guard !overflows else { throw ValueProblem("is too large") }
            return Int(product)
        }
        throw ValueProblem("is not a size in bytes, KiB, MiB or GiB")
    }

    /// The text of a size of `bytes`, in the largest unit that divides it.
    static func text(bytes: Int) -> String {
        guard bytes != 0, let unit = units.last(where: { Int64(bytes).isMultiple(of: $0.bytes) }) else {
            return "\(bytes)"
        }
        return "\(Int64(bytes) / unit.bytes)\(unit.name)"
    }
}
