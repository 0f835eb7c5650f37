import StrictYAML

/// The file that nodes come from: turns them into the inputs of settings, and names their places in errors.
struct YAMLSource: Sendable {
    /// The name that the file was opened with.
    let name: String
    /// The folder that relative paths start from, empty or ending in a slash: the file's, wherever the daemon is started.
    var folder: String { name.lastIndex(of: "/").map { String(name[...$0]) } ?? "" }

    /// A problem at a place of the file.
    func problem(at position: YAMLPosition, key: String?, _ what: String) -> ConfigurationProblem {
        ConfigurationProblem(origin: .file(name: name, position: position), key: key, what: what)
    }

    /// What the entry gives for the key: one text, or a list of texts.
    func input(_ entry: YAMLEntry, key: String, expectation: String) throws(SettingFailure) -> SettingInput {
        let origin = SettingOrigin.file(name: name, position: entry.keyPosition)
        func failure(_ position: YAMLPosition, _ what: String) -> SettingFailure {
            SettingFailure(problems: [problem(at: position, key: key, "\(what); expected \(expectation)")])
        }
        switch entry.value.value {
        case .scalar(let text, let quoted):
            let text = SettingText(text: text, isQuoted: quoted, origin: origin, folder: folder)
            return SettingInput(origin: origin, texts: [text], isList: false)
        case .sequence(let nodes):
            let texts = nodes.map(element)
            let problems = zip(nodes, texts).filter { $1 == nil }.flatMap { node, _ in
                failure(node.position, node.value == .null ? "has an empty element" : "has a nested element").problems
            }
            guard problems.isEmpty else { throw SettingFailure(problems: problems) }
            return SettingInput(origin: origin, texts: texts.compactMap(\.self), isList: true)
        case .null: throw failure(entry.keyPosition, "has no value")
        case .mapping: throw failure(entry.keyPosition, "is a mapping")
        }
    }

    /// What the entry gives for the key: a list of mappings.
    func records(_ entry: YAMLEntry, key: String, expectation: String) throws(SettingFailure) -> SettingInput {
        let origin = SettingOrigin.file(name: name, position: entry.keyPosition)
        guard case .sequence(let nodes) = entry.value.value else {
            let what = entry.value.value == .null ? "has no value" : "is not a list"
            throw SettingFailure(problems: [
                problem(at: entry.keyPosition, key: key, "\(what); expected \(expectation)")
            ])
        }
        var records: [SettingRecord] = []
        var problems: [ConfigurationProblem] = []
        for (index, node) in nodes.enumerated() {
            let place = "\(key)[\(index)]"
            if let record = SettingRecord(node, path: place, source: self) {
                records.append(record)
            } else {
                problems.append(problem(at: node.position, key: place, "is not a mapping; expected \(expectation)"))
            }
        }
        guard problems.isEmpty else { throw SettingFailure(problems: problems) }
        return SettingInput(origin: origin, texts: [], isList: true, records: records)
    }

    private func element(_ node: YAMLNode) -> SettingText? {
        guard case .scalar(let text, let quoted) = node.value else { return nil }
        let origin = SettingOrigin.file(name: name, position: node.position)
        return SettingText(text: text, isQuoted: quoted, origin: origin, folder: folder)
    }
}
