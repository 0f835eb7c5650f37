extension JSONValue {
    /// Bytes on the heap, reckoned rather too high: with what arrays and dictionaries keep in reserve when they have grown
    /// one by one.
    package var heapBytes: Int {
        switch self {
        case .null, .bool, .integer: return 0
        case .number(let text), .string(let text): return text.heapBytes
        case .array(let elements):
            var bytes = 64 + 2 * MemoryLayout<JSONValue>.stride * max(elements.count, 2)
            for place in elements.indices { bytes += elements[place].heapBytes }
            return bytes
        case .object(let members): return members.heapBytes
        }
    }
}

extension String {
    /// Bytes on the heap; up to 15 bytes stand in the string itself.
    package var heapBytes: Int {
        utf8.count <= 15 ? 0 : 48 + utf8.count
    }
}
