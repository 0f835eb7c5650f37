/// The tree of keys in the table of settings, and suggestions for a key that is not in it.
enum SettingNames {
    /// Whether there are keys below `components`.
    static func isSection(_ components: [String]) -> Bool {
        !keys(in: components).isEmpty
    }

    /// The keys directly below the section `components`, in the order of the table.
    static func keys(in components: [String]) -> [String] {
        var keys: [String] = []
        for path in paths where path.count > components.count && path.starts(with: components) {
            if keys.last != path[components.count] { keys.append(path[components.count]) }
        }
        return keys
    }

    /// What to write instead of `key`, which is unknown in `section`.
    static func advice(for key: String, in section: [String]) -> String {
        let siblings = keys(in: section)
        if let nearest = EditDistance.nearest(to: key, in: siblings) {
            return "did you mean \"\((section + [nearest]).joined(separator: "."))\"?"
        }
        if let known = paths.first(where: { $0.joined(separator: ".") == key }) {
            return "write it as \"\(known.suffix(1).joined())\" below \"\(known.dropLast().joined(separator: "."))\""
        }
        if let elsewhere = paths.first(where: { $0.last == key }) {
            return "did you mean \"\(elsewhere.joined(separator: "."))\"?"
        }
        return "expected one of \(siblings.joined(separator: ", "))"
    }

    private static let paths = SettingsTable.all.map { $0.path.split(separator: ".").map(String.init) }
}
