import FleetEngineToken
import StrictYAML

/// One mapping that a file says for a setting, such as a rule.
struct SettingRecord: Sendable {
    /// The dotted path of the mapping, as in `rules[0].ids`.
    let path: String
    /// Where it begins.
    let position: YAMLPosition
    let entries: [YAMLEntry]
    let source: YAMLSource

    /// Nil if the node is no mapping.
    init?(_ node: YAMLNode, path: String, source: YAMLSource) {
        guard case .mapping(let entries) = node.value else { return nil }
        (self.path, self.position, self.entries, self.source) = (path, node.position, entries, source)
    }
}
