import Glibc
import HTTPServer
import ServiceConfiguration
import SystemFiles

/// The enabled socket units of the service on this machine, for commands that are not its daemon. Systemd passes their
/// sockets at the next start.
struct SocketUnits {
    /// What the service's unit reads.
    static let configuration = "/etc/token-provider/token-provider.yaml"
    /// The same if there is one that this user may read.
    static var readableConfiguration: String? { access(configuration, R_OK) == 0 ? configuration : nil }
    private static let service = "token-provider.service"
    private static let maxBytes = 1 << 20

    /// Where units are, the most important first (systemd.unit(5), "Unit File Load Path").
    var folders = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map { "\($0)/systemd/system" }

    /// The sockets of the service's next start if the file is the service's, else none.
    static func sockets(for file: String?) -> [ListenerTakeover.Socket] {
        file == configuration ? SocketUnits().enabled : []
    }

    /// The sockets of all enabled units, in the order of their names.
    var enabled: [ListenerTakeover.Socket] {
        Self.names("\(folders[0])/sockets.target.wants/*.socket").flatMap(sockets)
    }

    private func sockets(of unit: String) -> [ListenerTakeover.Socket] {
        let places: [String] = folders.map { "\($0)/\(unit)" }
        guard let main = places.first(where: { access($0, R_OK) == 0 }) else { return [] }
        let lines = ([main] + dropIns(of: unit)).flatMap(Self.assignments)
        let values = { (key: String) -> [String] in lines.filter { $0.key == key }.map { $0.value } }
        let started = values("Service").last ?? "\(unit.dropLast(".socket".count)).service"
        guard started == Self.service else { return [] }
        let addresses = values("ListenStream").split(separator: "", omittingEmptySubsequences: false).last ?? []
        return addresses.compactMap { Self.address($0) }.map {
            ListenerTakeover.Socket(name: values("FileDescriptorName").last ?? unit, address: $0)
        }
    }

    /// In the order of their names; a more important folder hides those of the same name in others.
    private func dropIns(of unit: String) -> [String] {
        var paths: [String: String] = [:]
        for folder in folders.reversed() {
            for name in Self.names("\(folder)/\(unit).d/*.conf") { paths[name] = "\(folder)/\(unit).d/\(name)" }
        }
        return paths.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The settings of the section Socket. A line without a value empties a list (systemd.syntax(7)).
    private static func assignments(in path: String) -> [(key: String, value: String)] {
        guard let bytes = try? SystemFile(path: path).read(atMost: maxBytes) else { return [] }
        var section = ""
        var found: [(key: String, value: String)] = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(trimmed) {
            guard let first = line.first, first != "#", first != ";" else { continue }
            if first == "[" { section = line }
            let pair = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if section == "[Socket]", pair.count == 2 { found.append((trimmed(pair[0]), trimmed(pair[1]))) }
        }
        return found
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank = { (character: Character) in character.isWhitespace }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }

    /// A port alone means every address, by IPv6 and IPv4 (systemd.socket(5), ListenStream=).
    private static func address(_ text: String) -> SocketAddress? {
        if let first = text.first, "/@".contains(first) { return try? SocketAddress("unix:\(text)") }
        return try? SocketAddress(text.contains(":") ? text : "[::]:\(text)")
    }

    /// The names of the files that fit the pattern (glob(7)), in their order.
    private static func names(_ pattern: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0] }.map { path in
            let text = String(cString: path)
            return String(text[(text.lastIndex(of: "/").map(text.index(after:)) ?? text.startIndex)...])
        }
    }
}
