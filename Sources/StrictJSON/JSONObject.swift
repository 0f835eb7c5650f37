/// The members of a JSON object (RFC 8259 section 4), each of whose names is there once, in the order of the text.
///
/// A token's few members are looked through one by one, which costs a fraction of hashing a name. Many are found by their
/// hashes as well, so that a stranger's object costs time in proportion to its length.
package struct JSONObject: Sendable {
    /// As many members are looked through.
    private static let few = 16

    private struct Member: Sendable {
        let name: JSONName
        let value: JSONValue
    }

    private var members: [Member] = []
    /// Where each name is; empty while there are few.
    private var places: [JSONName: Int] = [:]

    /// An object without members, and with room for so many.
    package init(reserving count: Int) {
        members.reserveCapacity(count)
    }

    /// The value of the name's member; nil if there is none.
    package subscript(name: JSONName) -> JSONValue? {
        place(of: name).map { members[$0].value }
    }

    /// Adds a member; false, and nothing is added, if there is one of this name.
    package mutating func add(_ name: consuming JSONName, _ value: consuming JSONValue) -> Bool {
        guard place(of: name) == nil else { return false }
        members.append(Member(name: name, value: value))
        if places.isEmpty, members.count <= JSONObject.few { return true }
        // The first who is too many brings the others.
        let new = places.isEmpty ? 0..<members.count : members.count - 1..<members.count
        for place in new { places[members[place].name] = place }
        return true
    }

    /// Those of the members that have these names, in the order of the names and without room for others.
    package func keeping(_ names: [JSONName]) -> JSONObject {
        var count = 0
        for name in names where place(of: name) != nil { count += 1 }
        guard count > 0 else { return [:] }
        var kept = JSONObject(reserving: count)
        for name in names {
            guard let place = place(of: name) else { continue }
            _ = kept.add(name, members[place].value)
        }
        return kept
    }

    private func place(of name: JSONName) -> Int? {
        guard places.isEmpty else { return places[name] }
        return members.firstIndex { $0.name == name }
    }
}

extension JSONObject: RandomAccessCollection {
    package var startIndex: Int { members.startIndex }
    package var endIndex: Int { members.endIndex }
    package subscript(place: Int) -> (name: JSONName, value: JSONValue) { (members[place].name, members[place].value) }

    /// The names of the members.
    package var names: some Collection<JSONName> { members.lazy.map(\.name) }
}

extension JSONObject: Equatable {
    /// Whether both have the same members, in whatever order.
    package static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.count == other.count && one.allSatisfy { other[$0.name] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The members; of several of one name the first.
    package init(dictionaryLiteral members: (JSONName, JSONValue)...) {
        self.init(reserving: members.count)
        for (name, value) in members { _ = add(name, value) }
    }
}

extension JSONObject {
    /// Bytes on the heap, reckoned rather too high: with what arrays and dictionaries keep in reserve.
    package var heapBytes: Int {
        var bytes = 128 + 3 * MemoryLayout<Member>.stride * Swift.max(count, 4)
        for place in members.indices {
            bytes += members[place].name.heapBytes + members[place].value.heapBytes
        }
        return bytes
    }
}
