/// The names of the root object's members in a JSON text that is already known to be well-formed. A decoder keeps one
/// of two members of the same name and does not say which; whoever reads the file would see the other.
enum JSONMemberNames {
    /// Whether two members of the root have the same name, as written.
    static func areRepeated(in json: [UInt8]) -> Bool {
        var seen: Set<[UInt8]> = []
        var depth = 0
        var rest = json[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let text = popString(&rest)
                guard depth == 1, isName(before: rest) else { continue }
                guard seen.insert(text).inserted else { return true }
            default: continue
            }
        }
        return false
    }

    /// Takes the rest of a string and its closing quotation mark.
    private static func popString(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            text.append(byte)
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { text.append(escaped) }
        }
        return text
    }

    /// A string is a name if a colon follows.
    private static func isName(before rest: ArraySlice<UInt8>) -> Bool {
        rest.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: ":")
    }
}
