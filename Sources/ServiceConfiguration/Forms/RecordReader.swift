import StrictYAML

/// Reads a mapping key by key. It collects all errors, so that they are reported together; keys that were not asked for are
/// refused at the end.
struct RecordReader {
    let record: SettingRecord
    private var asked: [String] = []
    private var missing: [(key: String, expectation: String)] = []
    private var problems: [ConfigurationProblem] = []

    init(_ record: SettingRecord) {
        self.record = record
    }

    /// The value of a key; nil if the key is missing or its value is wrong.
    mutating func value<Value>(_ key: String, _ form: ValueForm<Value>) -> Value? {
        guard let entry = entry(key) else { return nil }
        let (source, path) = (record.source, path(key))
        return noting { () throws(SettingFailure) in
            try form.read(try source.input(entry, key: path, expectation: form.expectation), path)
        }
    }

    /// Like `value`, for a required key.
    mutating func required<Value>(_ key: String, _ form: ValueForm<Value>) -> Value? {
        if !has(key) { missing.append((key, form.expectation)) }
        return value(key, form)
    }

    /// The mappings in a key's list; none if the key is missing or wrong.
    mutating func records(_ key: String, expectation: String) -> [SettingRecord] {
        guard let entry = entry(key) else { return [] }
        let (source, path) = (record.source, path(key))
        let input = noting { () throws(SettingFailure) in
            try source.records(entry, key: path, expectation: expectation)
        }
        return input?.records ?? []
    }

    /// The mapping that a key holds; nil if the key is missing or not a mapping.
    mutating func record(_ key: String, expectation: String) -> SettingRecord? {
        guard let entry = entry(key) else { return nil }
        let inner = SettingRecord(entry.value, path: path(key), source: record.source)
        if inner == nil { refuse(key, "is not a mapping; expected \(expectation)") }
        return inner
    }

    /// The result of `make`; an error is noted by its sentence, at the key that `culprit` names.
    mutating func checked<Value, Failure: Error>(
        _ make: () throws(Failure) -> Value, sentence: (Failure) -> String, culprit: (Failure) -> String? = { _ in nil }
    ) -> Value? {
        do { return try make() } catch {
            refuse(culprit(error), sentence(error))
            return nil
        }
    }

    /// Adds a key to the known ones.
    mutating func ask(_ key: String) {
        if !asked.contains(key) { asked.append(key) }
    }

    /// The text of a key that holds one.
    func text(_ key: String) -> String? { record.text(key) }

    /// Whether the key is there.
    func has(_ key: String) -> Bool { record.entry(key) != nil }

    /// Whether a key holds a mapping.
    func holdsMapping(_ key: String) -> Bool {
        guard case .mapping = record.entry(key)?.value.value else { return false }
        return true
    }

    /// Notes that a key, or the mapping as a whole, is wrong. Without such a key it is the whole.
    mutating func refuse(_ key: String?, _ what: String) {
        let entry = key.flatMap(record.entry)
        problems.append(
            record.source.problem(
                at: entry?.keyPosition ?? record.position, key: entry.map { path($0.key) } ?? record.path, what))
    }

    /// Adds the errors that `body` found in a part.
    mutating func noting<Value>(_ body: () throws(SettingFailure) -> Value) -> Value? {
        do { return try body() } catch {
            problems += error.problems
            return nil
        }
    }

    /// The result of `make` if nothing was wrong; otherwise throws all errors. A key with a misspelt name is not also reported
    /// as missing.
    mutating func finish<Value>(_ make: () -> Value?) throws(SettingFailure) -> Value {
        for entry in record.entries where !asked.contains(entry.key) {
            let meant = EditDistance.nearest(to: entry.key, in: asked)
            missing.removeAll { $0.key == meant }
            let advice = meant.map { "did you mean \"\($0)\"?" } ?? "expected one of \(asked.joined(separator: ", "))"
            refuse(entry.key, "unknown key; \(advice)")
        }
        for (key, expectation) in missing { refuse(nil, "\(key) is missing; expected \(expectation)") }
        guard problems.isEmpty, let value = make() else { throw SettingFailure(problems: problems) }
        return value
    }

    private mutating func entry(_ key: String) -> YAMLEntry? {
        ask(key)
        return record.entry(key)
    }

    private func path(_ key: String) -> String { "\(record.path).\(key)" }
}
