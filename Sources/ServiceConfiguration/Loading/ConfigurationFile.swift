import StrictYAML
import SystemFiles

/// The bytes of a configuration file.
struct ConfigurationFile: Sendable {
    /// The name it was opened with.
    let name: String
    /// Its bytes, at most one more than strict YAML allows, so that a file that is too long is not read whole.
    let bytes: [UInt8]

    /// Reads the file `name`, relative to the current directory. Others must not be able to write it, because it says who
    /// may have tokens.
    init(reading name: String) throws(ConfigurationProblem) {
        guard !PastedSecret.isContent(name), !name.contains("\n") else {
            throw ConfigurationProblem(
                origin: .whole, key: nil,
                what: "the configuration file is given by its content, or by a secret; expected its path")
        }
        self.name = name
        let breach: String?
        do {
            let file = try SystemFile(path: name)
            breach = FileTrust.breach(of: file, try file.status(), consequence: "say who may have tokens")
            bytes = breach == nil ? try file.read(atMost: StrictYAMLDocument.maximumBytes + 1) : []
        } catch {
            throw ConfigurationProblem(
                origin: .whole, key: nil,
                what: "cannot read the configuration file \"\(name)\": \(error.reason); expected a YAML file")
        }
        if let breach {
            throw ConfigurationProblem(origin: .whole, key: nil, what: "the configuration file \"\(name)\": \(breach)")
        }
    }
}
