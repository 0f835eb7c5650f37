import StrictJSON

extension ClaimPath {
    private static let maxDepth = 3
    /// Bounds the work: a token of 16 KiB has fewer claims that matter.
    private static let maxClaims = 1000

    /// The claim of a token that was probably meant where this one is missing: the same name in another case or spelling, after a
    /// namespace, in another object or outside of one. Nil if none is like it.
    func nearest(in claims: JSONObject) -> ClaimPath? {
        var (paths, next) = (claims.names.map { [$0] }, 0)
        var nearest: (likeness: Int, names: [JSONName])?
        while next < min(paths.count, Self.maxClaims) {
            let path = paths[next]
            next += 1
            if let likeness = likeness(to: path), likeness > nearest?.likeness ?? 0 { nearest = (likeness, path) }
            guard path.count < Self.maxDepth, case .object(let members) = ClaimPath(path).value(in: claims) else {
                continue
            }
            paths += members.names.map { path + [$0] }
        }
        return nearest.map { ClaimPath($0.names) }
    }

    /// The path for people: a URL, whose dots are part of one name, needs no quotation marks.
    var spelling: String {
        names.map { name in
            let isPlain =
                name.text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
                && (name.text.contains("://") || !name.text.contains("."))
            let shown = ReceivedValue.text(.string(name.text))
            return isPlain ? String(shown.dropFirst().dropLast()) : shown
        }.joined(separator: ".")
    }

    /// How like another path is, from 1; nil for another name.
    private func likeness(to path: [JSONName]) -> Int? {
        guard let wanted = names.last.map({ Self.letters($0.text[...]) }), let name = path.last?.text else {
            return nil
        }
        let isBeside = path.dropLast() == names.dropLast()
        if Self.letters(name[...]) == wanted { return isBeside ? 4 : 2 }
        if Self.letters(name[...]) == Self.letters(text[...]) { return 3 }
        let last = name.split { "/:.".contains($0) }.last ?? ""
        return Self.letters(last) == wanted ? (isBeside ? 3 : 1) : nil
    }

    /// Letters and digits in lower case, so that `vehicle_id` is like `vehicleId`.
    private static func letters(_ text: Substring) -> [UInt8] {
        text.utf8.filter { $0.isAlphanumeric() || $0 >= 0x80 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
}
