import Glibc
import SystemFiles

/// What the installed unit of the service allows and gives the daemon (systemd.exec(5)).
struct ServiceUnit {
    static let name = "token-provider.service"
    /// What the unit reads.
    static let configuration = "/etc/token-provider/token-provider.yaml"

    /// A folder that systemd makes, and the setting that names it.
    static let managed = [
        (key: "StateDirectory", base: "/var/lib"), (key: "LogsDirectory", base: "/var/log"),
        (key: "CacheDirectory", base: "/var/cache"), (key: "RuntimeDirectory", base: "/run"),
    ]
    private static let system = ["/usr", "/boot", "/efi"]
    private static let homes = ["/home", "/root", "/run/user"]
    private static let temporary = ["/tmp", "/var/tmp"]

    private let file: UnitFile

    /// Nil if the service is not installed.
    init?(in folders: [String] = UnitFile.folders) {
        guard let file = UnitFile(Self.name, in: folders) else { return nil }
        self.file = file
    }

    func words(_ key: String) -> [String] { file.values(key, in: "Service").flatMap(Self.words) }

    private func isOn(_ key: String) -> Bool { ["yes", "true", "on", "1"].contains(words(key).last) }

    // MARK: Identity

    /// The name of the daemon's user.
    var user: String { words("User").last ?? (isDynamic ? "token-provider" : "root") }
    /// Whether systemd makes the user if it is missing.
    var isDynamic: Bool { isOn("DynamicUser") }

    // MARK: Files

    /// Folders that systemd makes before the start, for the daemon alone.
    var folders: [String] { Self.managed.flatMap { key, base in words(key).map { "\(base)/\($0)" } } }

    /// Why the daemon may not write a file there, as a predicate; nil if only permissions decide.
    func obstacle(toWriting path: String) -> String? {
        let writable = folders + words("ReadWritePaths").map { String($0.drop { "-+".contains($0) }) }
        guard !Self.isIn(writable + (isOn("PrivateTmp") ? Self.temporary : []), path) else { return nil }
        let protection = words("ProtectSystem").last ?? ""
        let isProtected =
            switch protection {
            case "strict": !Self.isIn(["/dev", "/proc", "/sys"], path)
            case "full": Self.isIn(Self.system + ["/etc"], path)
            default: isOn("ProtectSystem") && Self.isIn(Self.system, path)
            }
        guard isProtected else { return obstacle(toReading: path) }
        let place = folders.first.map { "a file in \($0), or " } ?? ""
        return "cannot be written by \(Self.name): ProtectSystem=\(protection); expected \(place)ReadWritePaths= in a "
            + "drop-in"
    }

    /// Why the daemon sees no such file, as a predicate.
    func obstacle(toReading path: String) -> String? {
        let setting: String
        if Self.isIn(Self.homes, path), let protection = words("ProtectHome").last,
            isOn("ProtectHome") || protection == "tmpfs"
        {
            setting = "ProtectHome=\(protection)"
        } else if Self.isIn(Self.temporary, path), isOn("PrivateTmp") {
            setting = "PrivateTmp=yes"
        } else {
            return nil
        }
        return "cannot be seen by \(Self.name): \(setting); expected a file elsewhere, such as in /etc/token-provider"
    }

    private static func isIn(_ folders: [String], _ path: String) -> Bool {
        folders.contains { path == $0 || path.hasPrefix("\($0)/") }
    }

    // MARK: Environment

    /// The variables that the unit sets; `%d` is the folder of the credentials. A file's come after the unit's own.
    func variables(credentials folder: String) -> [String: String] {
        let files = words("EnvironmentFile").map { $0.drop { $0 == "-" } }
        // There, blanks are a part of a value, and quotes around all of it are not.
        let lines = files.flatMap { path -> [String] in
            guard let bytes = try? SystemFile(path: String(path)).read(atMost: 1 << 20) else { return [] }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            return lines.filter { !"#;".contains($0.first ?? "#") }.map { $0.filter { !"\"'".contains($0) } }
        }
        let own = words("Environment").map { $0.replacing("%d", with: folder) }
        let pairs = (own + lines).map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        return Dictionary(
            pairs.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) }, uniquingKeysWith: { $1 })
    }

    /// The files that systemd copies for the daemon, by the names of their copies.
    var loadedCredentials: [String: String] { credentials("LoadCredential") }
    /// The contents that the unit itself has, for those whose file is missing.
    var setCredentials: [String: String] { credentials("SetCredential") }

    private func credentials(_ key: String) -> [String: String] {
        let pairs = file.values(key, in: "Service").map { $0.split(separator: ":", maxSplits: 1) }
        return Dictionary(
            pairs.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) }, uniquingKeysWith: { $1 })
    }

    /// Words between blanks; quotes keep blanks in one (systemd.syntax(7), "Quoting").
    private static func words(_ text: String) -> [String] {
        var (words, word, quote): ([String], String?, Character?) = ([], nil, nil)
        for character in text {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "\"" || character == "'" {
                (quote, word) = (character, word ?? "")
            } else if character.isWhitespace {
                words += [word].compactMap(\.self)
                word = nil
            } else {
                word = (word ?? "") + [character]
            }
        }
        return words + [word].compactMap(\.self)
    }
}
