/// One element of `Accept`: a media range, its parameters and its weight (RFC 9110 section 12.5.1).
struct MediaRange {
    /// The specificity of a range that names type and subtype.
    static let named = 2

    /// Thousandths, from 0 to 1000 (RFC 9110 section 12.4.2).
    let weight: Int
    private let type: Substring
    private let subtype: Substring
    private let version: Substring?

    /// Nil if the text is not a media range, or its weight is malformed.
    init?(_ text: Substring) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(MediaRange.trim)
        let types = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard types.count == 2, !types[0].isEmpty, !types[1].isEmpty else { return nil }
        (type, subtype) = (types[0], types[1])
        var (version, weight): (Substring?, Int) = (nil, 1000)
        for parameter in parts.dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1).map(MediaRange.trim)
            guard pair.count == 2 else { continue }
            switch pair[0].lowercased() {
            case "version":
                version = pair[1].count > 1 && pair[1].first == "\"" ? pair[1].dropFirst().dropLast() : pair[1]
            case "q":
                guard let parsed = MediaRange.weight(pair[1]) else { return nil }
                weight = parsed
            default: continue
            }
        }
        (self.version, self.weight) = (version, weight)
    }

    /// How closely it matches a format: 0 for any type, up to 3 with the version; nil if it does not match.
    func specificity(for format: MetricsFormat) -> Int? {
        if type == "*", subtype == "*" { return 0 }
        guard type.lowercased() == format.type.main else { return nil }
        if subtype == "*" { return 1 }
        guard subtype.lowercased() == format.type.sub else { return nil }
        guard let version else { return MediaRange.named }
        return version == format.version ? 3 : nil
    }

    /// `0`, `0.123`, `1` or `1.000`, in thousandths.
    private static func weight(_ text: Substring) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts[0] == "0" || parts[0] == "1" else { return nil }
        let digits = parts.count == 2 ? parts[1] : ""
        guard digits.utf8.count <= 3, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        let padded = digits + String(repeating: "0", count: 3 - digits.utf8.count)
        let thousandths = (Int(parts[0]) ?? 0) * 1000 + (Int(padded) ?? 0)
        return thousandths <= 1000 ? thousandths : nil
    }

    private static func trim(_ text: Substring) -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}
