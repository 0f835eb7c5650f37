/// Where the elements of lists such as `rules` are written, so that an error about one names its line.
///
/// Configurations that differ only in this are equal.
package struct ConfigurationPlaces: Sendable, Equatable {
    private struct List: Sendable {
        /// All elements, refused ones included.
        let records: [SettingRecord]
        /// The places in `records` of the elements that became values.
        let valid: [Int]
    }

    private var lists: [String: List] = [:]

    package init() {}

    package static func == (one: ConfigurationPlaces, other: ConfigurationPlaces) -> Bool { true }

    /// Notes where the elements of a list are written, and which of them have problems.
    mutating func note(_ records: [SettingRecord], of list: String, refused problems: [ConfigurationProblem] = []) {
        let refused = Set(problems.compactMap { $0.key.map { "\($0.prefix { $0 != "]" })]" } })
        lists[list] = List(records: records, valid: records.indices.filter { !refused.contains(records[$0].path) })
    }

    /// The number of elements, refused ones included; nil if no file gives the list.
    func count(of list: String) -> Int? { lists[list]?.records.count }

    /// The text that each element has under a key, refused elements included, and nil for an element without one; nil if
    /// no file gives the list.
    package func texts(of key: String, in list: String) -> [String?]? { lists[list]?.records.map { $0.text(key) } }

    /// The element that the value at `index` of a list was read from.
    package func element(_ list: String, _ index: Int, _ key: String? = nil) -> ConfigurationElement {
        let valid = lists[list]?.valid ?? []
        return ConfigurationElement(list: list, index: valid.indices.contains(index) ? valid[index] : index, key: key)
    }

    /// Where an element is written: at its key if it has that, else at its beginning; nil if no file gives it.
    func origin(of element: ConfigurationElement) -> SettingOrigin? {
        guard let records = lists[element.list]?.records, records.indices.contains(element.index) else { return nil }
        let record = records[element.index]
        let position = element.key.flatMap(record.entry)?.keyPosition ?? record.position
        return .file(name: record.source.name, position: position)
    }

    /// The beginning of a sentence about an element: `token-provider.yaml:12:5: rules[0].issuers: `.
    package func heading(of element: ConfigurationElement) -> String {
        origin(of: element)?.heading(key: element.path) ?? "\(element.path): "
    }
}

/// One element of a list of mappings as a file gives it, or one key of it, such as the `issuers` of the first rule.
package struct ConfigurationElement: Sendable {
    /// The key of the list.
    let list: String
    /// The place in the list, counted from 0, refused elements included.
    let index: Int
    /// The key within the element; nil for the element as a whole.
    let key: String?

    /// For example `rules[0].issuers`.
    var path: String { "\(list)[\(index)]" + (key.map { ".\($0)" } ?? "") }
}
