/// The members of a JSON object (RFC 8259 section 4) in the order of the text. Each name occurs once.
///
/// A token has few members, which are searched one by one: that costs a fraction of hashing a name. In larger objects
/// members are found by their hashes, so that the time is always proportional to the object's length.
package struct JSONObject: Sendable {
    /// The most members that are searched one by one.
    private static let few = 16

    private struct Member: Sendable {
        let name: JSONName
        let value: JSONValue
    }

    private var members: [Member] = []
    /// The index of each name; empty while there are few members.
    private var places: [JSONName: Int] = [:]

    /// An object without members, and with capacity for this number.
    package init(reserving count: Int) {
        members.reserveCapacity(count)
    }

    /// The value of the member with this name; nil if there is none.
    package subscript(name: JSONName) -> JSONValue? {
        place(of: name).map { members[$0].value }
    }

    /// Adds a member. Returns false, and adds nothing, if there already is one with this name.
    package mutating func add(_ name: consuming JSONName, _ value: consuming JSONValue) -> Bool {
        guard place(of: name) == nil else { return false }
        members.append(Member(name: name, value: value))
        if places.isEmpty, members.count <= JSONObject.few { return true }
        // With the first member that is too many, all members are indexed.
        let new = places.isEmpty ? 0..<members.count : members.count - 1..<members.count
        for place in new { places[members[place].name] = place }
        return true
    }

    /// The members with these names, in the order of the names and without capacity for others.
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
    /// Whether both have the same members, in any order.
    package static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.count == other.count && one.allSatisfy { other[$0.name] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The members; of several with the same name only the first.
    package init(dictionaryLiteral members: (JSONName, JSONValue)...) {
        self.init(reserving: members.count)
        for (name, value) in members { _ = add(name, value) }
    }
}

extension JSONObject {
    /// Bytes on the heap, an upper estimate that includes the unused capacity of arrays and dictionaries.
    package var heapBytes: Int {
        var bytes = 128 + 3 * MemoryLayout<Member>.stride * Swift.max(count, 4)
        for place in members.indices {
            bytes += members[place].name.heapBytes + members[place].value.heapBytes
        }
        return bytes
    }
}
