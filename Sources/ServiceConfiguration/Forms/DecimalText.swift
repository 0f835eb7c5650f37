/// Decimal numbers as configuration writes them: ASCII digits, no sign, no leading zero, no grouping.
package enum DecimalText {
    /// The whole number that `text` means; nil if it is not one or does not fit.
    package static func whole(_ text: some StringProtocol) -> Int64? {
        isDigits(text) && (text.utf8.count == 1 || text.utf8.first != UInt8(ascii: "0")) ? Int64(text) : nil
    }

    /// The number that `text` means, with or without a fraction (`0.5`, `1`); nil if it is not one.
    package static func fraction(_ text: String) -> Double? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, whole(first) != nil else { return nil }
        guard parts.dropFirst().allSatisfy(isDigits) else { return nil }
        return Double(text)
    }

    /// Why `text` is not a whole number, to follow it in a sentence.
    static func faultOfWhole(_ text: some StringProtocol) -> String {
        guard isDigits(text) else { return "is not made of digits only" }
        return text.hasPrefix("0") ? "begins with a 0" : "is too large"
    }

    /// Why `text` is not a number with or without a fraction.
    static func faultOfFraction(_ text: String) -> String {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy(isDigits) else {
            return "is not made of digits with at most one dot between them"
        }
        return faultOfWhole(parts[0])
    }

    /// The shortest text of `number`, without a fraction where it has none.
    package static func text(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }

    private static func isDigits(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
