import Glibc
import SystemFiles

/// A unit as it is installed: its file and the drop-ins (systemd.unit(5)).
struct UnitFile {
    /// Where units are, the most important first (systemd.unit(5), "Unit File Load Path").
    static let folders = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map { "\($0)/systemd/system" }
    private static let maxBytes = 1 << 20

    private let settings: [(section: String, key: String, value: String)]

    /// Nil if it is not installed, or cannot be read.
    init?(_ name: String, in folders: [String]) {
        let places: [String] = folders.map { "\($0)/\(name)" }
        guard let main = places.first(where: { access($0, R_OK) == 0 }) else { return nil }
        settings = ([main] + Self.dropIns(of: name, in: folders)).flatMap(Self.settings)
    }

    /// The values of a setting since the last empty one, which takes the earlier ones back (systemd.syntax(7)).
    func values(_ key: String, in section: String) -> [String] {
        let all = settings.filter { $0.section == section && $0.key == key }.map(\.value)
        return Array(all.split(separator: "", omittingEmptySubsequences: false).last ?? [])
    }

    /// In the order of their names; a more important folder hides those of the same name in others.
    private static func dropIns(of unit: String, in folders: [String]) -> [String] {
        var paths: [String: String] = [:]
        for folder in folders.reversed() {
            for name in names("\(folder)/\(unit).d/*.conf") { paths[name] = "\(folder)/\(unit).d/\(name)" }
        }
        return paths.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func settings(in path: String) -> [(section: String, key: String, value: String)] {
        guard let bytes = try? SystemFile(path: path).read(atMost: maxBytes) else { return [] }
        var section = ""
        var found: [(section: String, key: String, value: String)] = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(trimmed) {
            guard let first = line.first, first != "#", first != ";" else { continue }
            if first == "[" { section = String(line.dropFirst().prefix { $0 != "]" }) }
            let pair = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { found.append((section, trimmed(pair[0]), trimmed(pair[1]))) }
        }
        return found
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank = { (character: Character) in character.isWhitespace }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }

    /// The names of the files that fit the pattern (glob(7)), in their order.
    static func names(_ pattern: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0] }.map { path in
            let text = String(cString: path)
            return String(text[(text.lastIndex(of: "/").map(text.index(after:)) ?? text.startIndex)...])
        }
    }
}
