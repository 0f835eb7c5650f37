import CYAML

/// One event of libyaml as a Swift value, without pointers into C memory.
struct YAMLEvent {
    /// What the event says.
    enum Kind {
        case streamStart, streamEnd
        case documentStart(declaresTags: Bool)
        case documentEnd
        case alias
        case scalar(String, quoted: Bool)
        case sequenceStart, sequenceEnd
        case mappingStart, mappingEnd
    }

    let kind: Kind
    /// Where the event begins.
    let position: YAMLPosition
    /// Whether the node is marked with an anchor (`&name`).
    var hasAnchor = false
    /// Whether the node is marked with a tag (`!name`).
    var hasTag = false

    /// Copies what `event` holds; the caller still owns it.
    init(copying event: yaml_event_t) {
        position = YAMLPosition(event.start_mark)
        switch event.type {
        case YAML_STREAM_START_EVENT: kind = .streamStart
        case YAML_DOCUMENT_START_EVENT:
            kind = .documentStart(declaresTags: event.data.document_start.declaresTags)
        case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
        case YAML_ALIAS_EVENT: kind = .alias
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            kind = .scalar(scalar.text, quoted: scalar.style != YAML_PLAIN_SCALAR_STYLE)
            (hasAnchor, hasTag) = (scalar.anchor != nil, scalar.tag != nil)
        case YAML_SEQUENCE_START_EVENT:
            kind = .sequenceStart
            let start = event.data.sequence_start
            (hasAnchor, hasTag) = (start.anchor != nil, start.tag != nil)
        case YAML_SEQUENCE_END_EVENT: kind = .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            kind = .mappingStart
            let start = event.data.mapping_start
            (hasAnchor, hasTag) = (start.anchor != nil, start.tag != nil)
        case YAML_MAPPING_END_EVENT: kind = .mappingEnd
        default: kind = .streamEnd
        }
    }
}

extension YAMLPosition {
    /// libyaml counts from 0.
    init(_ mark: yaml_mark_t) {
        self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }
}

extension yaml_event_t.__Unnamed_union_data.__Unnamed_struct_document_start {
    fileprivate var declaresTags: Bool { tag_directives.start != tag_directives.end }
}

extension yaml_event_t.__Unnamed_union_data.__Unnamed_struct_scalar {
    /// The scalar's characters, which were checked to be UTF-8 before the parser began.
    fileprivate var text: String {
        String(decoding: UnsafeBufferPointer(start: value, count: Int(length)), as: UTF8.self)
    }
}
