import Glibc
import StrictYAML

/// The bytes of a configuration file: the one place where configuration speaks to the system.
struct ConfigurationFile: Sendable {
    /// The name it was opened with.
    let name: String
    /// Its bytes, one more than strict YAML allows at most, so that too long a file is refused and never read whole.
    let bytes: [UInt8]

    /// Reads the file `name`, relative to the current directory.
    init(reading name: String) throws(ConfigurationProblem) {
        self.name = name
        let descriptor = open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(name, reason: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count <= StrictYAMLDocument.maximumBytes {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Self.unreadable(name, reason: errno) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        self.bytes = bytes
    }

    private static func unreadable(_ name: String, reason: Int32) -> ConfigurationProblem {
        let words = strerror(reason).map { String(cString: $0) } ?? "error \(reason)"
        return ConfigurationProblem(
            origin: .whole, key: nil,
            what: "cannot read the configuration file \"\(name)\": \(words); expected a YAML file")
    }
}
