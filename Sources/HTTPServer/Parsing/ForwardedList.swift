/// A list of a header's elements (RFC 9110 section 5.6.1), read from its end: elements further left, which others
/// wrote, cannot change how the elements to their right are read.
struct ForwardedList {
    /// Where the next element ends; nil after the last one.
    private var end: Int?
    /// Whether commas in quoted strings belong to the element (RFC 9110 section 5.6.4).
    private let hasQuotes: Bool

    init(end: Int, hasQuotes: Bool) {
        self.end = end
        self.hasQuotes = hasQuotes
    }

    /// The next element to the left, without white space around it; it may be empty. If a quoted string has no beginning, its
    /// last quote is where the element begins and the list ends.
    mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
        guard let end else { return nil }
        var start = end
        while start > 0, bytes[start - 1] != UInt8(ascii: ",") {
            start -= 1
            guard hasQuotes, bytes[start] == UInt8(ascii: "\"") else { continue }
            guard let opening = ForwardedList.openingQuote(bytes, before: start) else {
                self.end = nil
                return start..<end
            }
            start = opening
        }
        self.end = start > 0 ? start - 1 : nil
        return bytes.trimmed(start..<end)
    }

    /// Where the quoted string begins whose closing quote stands at a position: within it, a quote has an odd number of
    /// backslashes before it.
    private static func openingQuote(_ bytes: Span<UInt8>, before closing: Int) -> Int? {
        var index = closing
        while index > 0 {
            index -= 1
            guard bytes[index] == UInt8(ascii: "\"") else { continue }
            var start = index
            while start > 0, bytes[start - 1] == UInt8(ascii: "\\") { start -= 1 }
            if (index - start).isMultiple(of: 2) { return index }
        }
        return nil
    }
}
