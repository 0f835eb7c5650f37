/// The members of a JSON object (RFC 8259 section 4), each of whose names is there once, in the order of the text.
///
/// A token's few members are looked through one by one, which costs a fraction of hashing a name. Many are found by their
/// hashes as well, so that a stranger's object costs time in proportion to its length.
public struct JSONObject: Sendable {
    /// As many members are looked through.
    private static let few = 16

    private var members: [(name: JSONName, value: JSONValue)] = []
    /// The beginning of each name, by which nearly all others are told from it.
    private var beginnings: [UInt64] = []
    /// Where each name is; empty while there are few.
    private var places: [JSONName: Int] = [:]

    /// An object without members, and with room for so many.
    init(reserving count: Int) {
        members.reserveCapacity(count)
        beginnings.reserveCapacity(count)
    }

    /// The value of the name's member; nil if there is none.
    public subscript(name: JSONName) -> JSONValue? {
        place(of: name, name.beginning).map { members[$0].value }
    }

    /// Adds a member; false, and nothing is added, if there is one of this name.
    mutating func add(_ name: consuming JSONName, _ value: consuming JSONValue) -> Bool {
        let beginning = name.beginning
        guard place(of: name, beginning) == nil else { return false }
        members.append((name, value))
        beginnings.append(beginning)
        if places.isEmpty, members.count <= JSONObject.few { return true }
        // The first who is too many brings the others.
        let new = places.isEmpty ? 0..<members.count : members.count - 1..<members.count
        for place in new { places[members[place].name] = place }
        return true
    }

    private func place(of name: JSONName, _ beginning: UInt64) -> Int? {
        guard places.isEmpty else { return places[name] }
        for place in 0..<beginnings.count where beginnings[place] == beginning {
            if members[place].name == name { return place }
        }
        return nil
    }
}

extension JSONName {
    /// The first eight bytes, or all there are.
    fileprivate var beginning: UInt64 {
        let bytes = text.utf8.withContiguousStorageIfAvailable { text in
            var beginning: UInt64 = 0
            for index in 0..<min(text.count, 8) { beginning = beginning << 8 | UInt64(text[index]) }
            return beginning
        }
        // Every name begins the same then, and is compared.
        return bytes ?? 0
    }
}

extension JSONObject: RandomAccessCollection {
    public var startIndex: Int { members.startIndex }
    public var endIndex: Int { members.endIndex }
    public subscript(place: Int) -> (name: JSONName, value: JSONValue) { members[place] }

    /// The names of the members.
    public var names: some Collection<JSONName> { members.lazy.map(\.name) }
}

extension JSONObject: Equatable {
    /// Whether both have the same members, in whatever order.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.count == other.count && one.allSatisfy { other[$0.name] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The members; of several of one name the first.
    public init(dictionaryLiteral members: (JSONName, JSONValue)...) {
        self.init(reserving: members.count)
        for (name, value) in members { _ = add(name, value) }
    }
}
