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
