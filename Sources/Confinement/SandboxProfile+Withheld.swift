import Glibc

extension SandboxProfile {
    /// Takes away the right to read these files, also where a folder above them has it. Landlock only adds rights, so such a
    /// folder gives its own to all of its entries but the way to the file; entries that come later have none. Returns those
    /// folders.
    package mutating func withhold(_ paths: some Collection<String>) -> [String] {
        var divided: Set<String> = []
        for file in paths.compactMap(PathPlaces.real) {
            for (place, rights) in places ?? [:] where rights.contains(.readFile) {
                guard let folder = PathPlaces.real(place), let names = names(of: file, below: folder) else { continue }
                places?[place] = nil
                divide(folder, rights, along: names, to: file)
                if !names.isEmpty { divided.insert(folder) }
            }
        }
        return divided.sorted()
    }

    /// The names that lead from a folder to a file; nil if none do. None are needed if both are the same.
    private func names(of file: String, below folder: String) -> [Substring]? {
        let (all, above) = (file.split(separator: "/"), folder.split(separator: "/"))
        return all.starts(with: above) ? Array(all.dropFirst(above.count)) : nil
    }

    private mutating func divide(_ folder: String, _ rights: FileRights, along names: [Substring], to file: String) {
        // To list folders, and in folders of logs to write, reveals no key.
        allow(rights.subtracting(.readFile), at: folder)
        var folder = folder
        for name in names {
            for entry in PathPlaces.entries(of: folder, without: file) where entry != name {
                allow(rights, at: PathPlaces.join(folder, entry))
            }
            folder = PathPlaces.join(folder, String(name))
        }
    }
}
