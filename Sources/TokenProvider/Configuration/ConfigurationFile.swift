import StrictYAML

/// The bytes of a configuration file.
struct ConfigurationFile: Sendable {
    /// The name it was opened with.
    let name: String
    /// Its bytes, one more than strict YAML allows at most, so that too long a file is refused and never read whole.
    let bytes: [UInt8]

    /// Reads the file `name`, relative to the current directory.
    init(reading name: String) throws(ConfigurationProblem) {
        self.name = name
        do {
            bytes = try SystemFile(path: name).read(atMost: StrictYAMLDocument.maximumBytes + 1)
        } catch {
            throw ConfigurationProblem(
                origin: .whole, key: nil,
                what: "cannot read the configuration file \"\(name)\": \(error.reason); expected a YAML file")
        }
    }
}
