import FleetEngineToken
import StrictYAML

/// Reads a mapping key by key. What is wrong is gathered, so that all of it is told at once; keys that nobody asked for are
/// refused at the end.
struct RecordReader {
    let record: SettingRecord
    private var asked: [String] = []
    private var missing: [(key: String, expectation: String)] = []
    private var problems: [ConfigurationProblem] = []

    init(_ record: SettingRecord) {
        self.record = record
    }

    /// The value of a key; nil if it is not there, or if what is there is wrong.
    mutating func value<Value>(_ key: String, _ form: ValueForm<Value>) -> Value? {
        guard let entry = entry(key) else { return nil }
        let (source, path) = (record.source, path(key))
        return noting { () throws(SettingFailure) in
            try form.read(try source.input(entry, key: path, expectation: form.expectation), path)
        }
    }

    /// As `value`, for a key that must be there.
    mutating func required<Value>(_ key: String, _ form: ValueForm<Value>) -> Value? {
        if !has(key) { missing.append((key, form.expectation)) }
        return value(key, form)
    }

    /// The mappings that are a key's list; none if it is not there or wrong.
    mutating func records(_ key: String, expectation: String) -> [SettingRecord] {
        guard let entry = entry(key) else { return [] }
        let (source, path) = (record.source, path(key))
        let input = noting { () throws(SettingFailure) in
            try source.records(entry, key: path, expectation: expectation)
        }
        return input?.records ?? []
    }

    /// The mapping that a key holds; nil if it is not there or is none.
    mutating func record(_ key: String, expectation: String) -> SettingRecord? {
        guard let entry = entry(key) else { return nil }
        let inner = SettingRecord(entry.value, path: path(key), source: record.source)
        if inner == nil { refuse(key, "is no mapping; expected \(expectation)") }
        return inner
    }

    /// What `make` makes; an error is noted by its sentence, as the mapping's.
    mutating func checked<Value, Failure: Error>(
        _ make: () throws(Failure) -> Value, sentence: (Failure) -> String
    ) -> Value? {
        do {
            return try make()
        } catch {
            refuse(nil, sentence(error))
            return nil
        }
    }

    /// Counts a key among those that are known here.
    mutating func ask(_ key: String) {
        if !asked.contains(key) { asked.append(key) }
    }

    /// The text of a key that holds one.
    func text(_ key: String) -> String? {
        guard case .scalar(let text, _) = record.entries.first(where: { $0.key == key })?.value.value else {
            return nil
        }
        return text
    }

    /// Whether the key is there.
    func has(_ key: String) -> Bool { record.entries.contains { $0.key == key } }

    /// Whether a key holds a mapping.
    func holdsMapping(_ key: String) -> Bool {
        guard case .mapping = record.entries.first(where: { $0.key == key })?.value.value else { return false }
        return true
    }

    /// Notes that a key, or the mapping as a whole, is wrong.
    mutating func refuse(_ key: String?, _ what: String) {
        let entry = key.flatMap { key in record.entries.first { $0.key == key } }
        problems.append(
            record.source.problem(
                at: entry?.keyPosition ?? record.position, key: key.map(path) ?? record.path, what))
    }

    /// Takes over what `body` found wrong in a part.
    mutating func noting<Value>(_ body: () throws(SettingFailure) -> Value) -> Value? {
        do {
            return try body()
        } catch {
            problems += error.problems
            return nil
        }
    }

    /// What `make` makes of the values, if nothing was wrong with them; throws all that was. A key that is there under a
    /// misspelt name is not missing, too.
    mutating func finish<Value>(_ make: () -> Value?) throws(SettingFailure) -> Value {
        for entry in record.entries where !asked.contains(entry.key) {
            let meant = EditDistance.nearest(to: entry.key, in: asked)
            missing.removeAll { $0.key == meant }
            let advice = meant.map { "did you mean \"\($0)\"?" } ?? "expected one of \(asked.joined(separator: ", "))"
            refuse(entry.key, "unknown key; \(advice)")
        }
        for (key, expectation) in missing { refuse(nil, "has no \(key); expected \(expectation)") }
        guard problems.isEmpty, let value = make() else { throw SettingFailure(problems: problems) }
        return value
    }

    private mutating func entry(_ key: String) -> YAMLEntry? {
        ask(key)
        return record.entries.first { $0.key == key }
    }

    private func path(_ key: String) -> String { "\(record.path).\(key)" }
}
