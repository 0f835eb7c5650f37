/// Builds nodes from events, and collects everything that strict YAML refuses.
struct YAMLComposer {
    /// Longer keys name no setting, and one of marks that combine would take long to compare.
    private static let maximumKeyBytes = 256

    private let events: YAMLEventParser
    private let maximumDepth: Int
    private var errors: [YAMLError] = []

    /// A composer of these events, which refuses more than `maximumDepth` nested sequences and mappings.
    init(events: YAMLEventParser, maximumDepth: Int) {
        self.events = events
        self.maximumDepth = maximumDepth
    }

    /// The only document; nil if there is none.
    mutating func document() throws(YAMLErrors) -> YAMLNode? {
        let root: YAMLNode?
        do { root = try onlyDocument() } catch { throw YAMLErrors(errors: errors + [error], remainder: nil) }
        guard errors.isEmpty else { throw YAMLErrors(errors: errors, remainder: root) }
        return root
    }

    private mutating func onlyDocument() throws(YAMLError) -> YAMLNode? {
        _ = try events.next()  // The stream's start.
        let start = try events.next()
        guard case .documentStart(let declaresTags) = start.kind else { return nil }
        if declaresTags { refuse("a %TAG directive is not allowed; expected plain values", at: start) }
        let root = try node(from: events.next(), depth: 0)
        _ = try events.next()  // The document's end.
        let end = try events.next()
        if case .documentStart = end.kind {
            throw YAMLError(position: end.position, sentence: "a second document begins here; expected only one")
        }
        return root
    }

    private mutating func node(from event: YAMLEvent, depth: Int) throws(YAMLError) -> YAMLNode {
        refuseMarks(of: event)
        let value: YAMLValue
        switch event.kind {
        case .sequenceStart: value = .sequence(try elements(depth: try deeper(depth, at: event)))
        case .mappingStart: value = .mapping(try entries(depth: try deeper(depth, at: event)))
        case .scalar(let text, let quoted): value = Self.isNull(text, quoted) ? .null : .scalar(text, quoted: quoted)
        default: value = .null
        }
        return YAMLNode(position: event.position, value: value)
    }

    private func deeper(_ depth: Int, at event: YAMLEvent) throws(YAMLError) -> Int {
        guard depth < maximumDepth else {
            throw YAMLError(
                position: event.position, sentence: "this is nested too deeply; expected at most \(maximumDepth) levels"
            )
        }
        return depth + 1
    }

    private mutating func elements(depth: Int) throws(YAMLError) -> [YAMLNode] {
        var elements: [YAMLNode] = []
        while true {
            let event = try events.next()
            if case .sequenceEnd = event.kind { return elements }
            elements.append(try node(from: event, depth: depth))
        }
    }

    private mutating func entries(depth: Int) throws(YAMLError) -> [YAMLEntry] {
        var entries: [YAMLEntry] = []
        var firstLines: [String: Int] = [:]
        while true {
            let event = try events.next()
            if case .mappingEnd = event.kind { return entries }
            let keyNode = try node(from: event, depth: depth)
            let value = try node(from: events.next(), depth: depth)
            guard let key = key(of: event) else { continue }
            if let firstLine = firstLines[key] {
                refuse("the key \(QuotedText(key)) is repeated; it was first given on line \(firstLine)", at: event)
                continue
            }
            firstLines[key] = event.position.line
            entries.append(YAMLEntry(key: key, keyPosition: keyNode.position, value: value))
        }
    }

    /// The text of a key; nil, with the reason noted, if the event is not one.
    private mutating func key(of event: YAMLEvent) -> String? {
        guard case .scalar(let text, let quoted) = event.kind else {
            // An alias was refused where it was read.
            if case .alias = event.kind { return nil }
            refuse("a key must be a single text, not a sequence or a mapping", at: event)
            return nil
        }
        if text.isEmpty && !quoted {
            refuse("a key is missing here; expected \"key: value\"", at: event)
            return nil
        }
        guard text.utf8.count <= Self.maximumKeyBytes else {
            refuse("a key has \(text.utf8.count) bytes; expected at most \(Self.maximumKeyBytes)", at: event)
            return nil
        }
        if text == "<<" && !quoted {
            refuse("the merge key << is not allowed; expected every key to be written out", at: event)
            return nil
        }
        return text
    }

    private mutating func refuseMarks(of event: YAMLEvent) {
        if case .alias = event.kind { refuse("an alias (*name) is not allowed; expected the value itself", at: event) }
        if event.hasAnchor { refuse("an anchor (&name) is not allowed; expected the value alone", at: event) }
        if event.hasTag { refuse("a tag (!name) is not allowed; expected the value alone", at: event) }
    }

    private mutating func refuse(_ sentence: String, at event: YAMLEvent) {
        errors.append(YAMLError(position: event.position, sentence: sentence))
    }

    private static func isNull(_ text: String, _ quoted: Bool) -> Bool {
        !quoted && ["", "~", "null", "Null", "NULL"].contains(text)
    }
}
