/// Reads one JSON text (RFC 8259) from its beginning to its end. Each byte is read a bounded number of times, and the
/// recursion is limited to the requested depth.
struct JSONReader {
    let bytes: [UInt8]
    /// How many bytes have been read.
    var offset = 0
    /// The member of the outermost object whose elements are refused one by one; nil for none.
    private let divided: JSONName?
    /// Why elements of that member are refused, by their places.
    private(set) var faults: [Int: JSONError] = [:]
    /// The first fault of the current element.
    private var fault: JSONError?
    private var isDivided = false
    private var outermost = 0

    init(_ bytes: [UInt8], refusingElementsOf divided: JSONName? = nil) {
        (self.bytes, self.divided) = (bytes, divided)
    }

    /// Refuses what the grammar allows: alone, within an element that may be refused.
    mutating func refuse(_ problem: JSONError.Problem, at place: Int) throws(JSONError) {
        guard isDivided else { throw error(problem, at: place) }
        fault = fault ?? error(problem, at: place)
    }

    /// The whole text.
    mutating func text(maxDepth: Int) throws(JSONError) -> JSONValue {
        outermost = maxDepth
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw error(.byteOrderMark) }
        skipSpace()
        guard offset < bytes.count else { throw error(.empty) }
        let value = try value(depth: maxDepth)
        skipSpace()
        guard offset == bytes.count else { throw error(.trailingBytes) }
        if let fault { throw fault }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipSpace()
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw error(.noValue)
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        guard try opens(depth, closing: "}") else { return [:] }
        // Enough for most tokens.
        var members = JSONObject(reserving: 12)
        repeat {
            skipSpace()
            let start = offset
            let name = try name()
            if divided != nil, depth == outermost { isDivided = name == divided }
            if !members.add(name, try value(depth: depth - 1)) { try refuse(.repeatedName, at: start) }
            skipSpace()
        } while skip(",")
        try take("}", orThrow: .noComma)
        return members
    }

    /// A member's name, and the colon after it.
    private mutating func name() throws(JSONError) -> JSONName {
        guard try peek() == UInt8(ascii: "\"") else { throw error(.noName) }
        let name = if let brief = briefName() { brief } else { JSONName(try string()) }
        skipSpace()
        try take(":", orThrow: .noColon)
        return name
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        guard try opens(depth, closing: "]") else { return [] }
        var elements: [JSONValue] = []
        elements.reserveCapacity(4)
        repeat {
            elements.append(try value(depth: depth - 1))
            if let fault, depth == outermost - 1 {
                (faults[elements.count - 1], elements[elements.count - 1], self.fault) = (fault, .null, nil)
            }
            skipSpace()
        } while skip(",")
        try take("]", orThrow: .noComma)
        return elements
    }

    /// Reads the opening bracket, and the closing one if nothing is between them. Returns whether something is.
    private mutating func opens(_ depth: Int, closing bracket: Unicode.Scalar) throws(JSONError) -> Bool {
        if depth <= 0 { try refuse(.tooDeep, at: offset) }
        guard depth > outermost - JSONValue.deepest else { throw error(.tooDeep) }
        offset += 1
        skipSpace()
        return !skip(bracket)
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let start = offset
        for byte in UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount) {
            guard try next() == byte else { throw error(.noValue, at: start) }
        }
        return value
    }
}
