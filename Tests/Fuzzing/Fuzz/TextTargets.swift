import Foundation
import StrictJSON
import StrictYAML

@testable import FleetEngineToken
@testable import OpenSSLCrypto

/// Percent-encoded ids. Decoding agrees with Foundation; what is accepted keeps every rule, is the same when it is
/// encoded in full, and the fast path agrees with the slow one.
enum IDTarget {
    static func run(_ input: [UInt8]) {
        let decoded = PercentEncoding.decode(input)
        // Foundation drops a byte order mark at the beginning.
        if let text = String(validating: input, as: UTF8.self), let utf8 = decoded.flatMap(Self.text),
            utf8.unicodeScalars.first != "\u{FEFF}"
        {
            require(text.removingPercentEncoding.map { Array($0.utf8) } == Array(utf8.utf8), "Foundation: \(text)")
        }
        if decoded == nil { require(input.text.removingPercentEncoding == nil, "Foundation decodes \(input.text)") }
        guard let decoded else { return }
        let encoded = decoded.flatMap { Array((($0 < 16 ? "%0" : "%") + String($0, radix: 16)).utf8) }
        require(PercentEncoding.decode(encoded) == decoded, "the full encoding")
        let id = optional { () throws(FleetEngineIDError) in try FleetEngineID(percentDecoded: decoded) }
        if let plain = FleetEngineID(plain: decoded.span, 0..<decoded.count) {
            require(plain == id && plain.text.utf8.elementsEqual(decoded), "the fast path: \(plain)")
        }
        guard let id else { return }
        let scalars = id.text.unicodeScalars
        require(id.text.utf8.elementsEqual(decoded), "the id is not the bytes")
        require((1...64).contains(scalars.count), "\(scalars.count) scalars")
        let hasControls = scalars.contains { $0.properties.generalCategory == .control }
        require(!hasControls && !scalars.contains { "/:?,#".unicodeScalars.contains($0) }, "a forbidden character")
        require(!["*", ".", ".."].contains(id.text), "\(id.text)")
        require(id.text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(id.text.utf8), "not in NFC")
        let ends = [scalars.first, scalars.last].compactMap { $0 }
        require(!ends.contains { $0.properties.isWhitespace }, "white space around it")
    }

    private static func text(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }
}

/// Strict JSON. What is accepted is the same when it is written, short or indented; Foundation accepts it, and refuses
/// what breaks the grammar of RFC 8259.
enum JSONTarget {
    static func run(_ input: [UInt8]) {
        do throws(JSONError) {
            let value = try JSONValue(parsing: input, maxDepth: 64)
            for text in [JSONText.compact(value), JSONText.pretty(value)] {
                let again = optional { () throws(JSONError) in try JSONValue(parsing: Array(text.utf8), maxDepth: 64) }
                require(again == value, "read as \(value), written as \(text)")
            }
            // Foundation has no numbers beyond a Double.
            guard !holdsNumber(value) else { return }
            require(isJSON(input), "Foundation refuses \(input.text)")
        } catch {
            require((0...input.count).contains(error.offset) && error.sentence.isOneLine, "\(error)")
            // Allowed by the RFC, or by Foundation; it also reads UTF-16, which has zero bytes.
            // It also accepts a comma after the last member or element.
            let ours: [JSONError.Problem] = [
                .repeatedName, .loneSurrogate, .byteOrderMark, .tooDeep, .illFormedUTF8, .noName,
            ]
            let isLastComma = error.problem == .noValue && input.dropFirst(error.offset).first == UInt8(ascii: "]")
            guard !ours.contains(error.problem), !isLastComma, !input.contains(0) else { return }
            require(!isJSON(input), "Foundation accepts \(input.text): \(error)")
        }
    }

    private static func isJSON(_ input: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(input), options: .fragmentsAllowed)) != nil
    }

    private static func holdsNumber(_ value: JSONValue) -> Bool {
        switch value {
        case .number: true
        case .array(let elements): elements.contains(where: holdsNumber)
        case .object(let members): members.names.contains { name in members[name].map(holdsNumber) ?? false }
        default: false
        }
    }
}

/// Strict YAML. What is accepted is the same when it is written as JSON, which is YAML too; every place lies in the text.
enum YAMLTarget {
    static func run(_ input: [UInt8]) {
        let lines = input.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
        do throws(YAMLErrors) {
            guard let node = try StrictYAMLDocument.parse(input) else { return }
            check(node, lines: lines)
            let text = json(node)
            // libyaml reads keys on one line of up to 1,024 characters.
            guard text.utf8.count < 900 else { return }
            let again = optional { () throws(YAMLErrors) in try StrictYAMLDocument.parse(Array(text.utf8)) }
            require(
                again.flatMap { $0.map(json) } == text,
                "written as \(text), read as \(again.map { "\($0 as Any)" } ?? "error")")
        } catch {
            require(!error.errors.isEmpty, "an error without a reason")
            for one in error.errors {
                require(one.sentence.isOneLine && one.position.line <= lines + 1, "\(one)")
                require(one.position.line > 0 && one.position.column > 0, "\(one)")
            }
        }
    }

    private static func check(_ node: YAMLNode, lines: Int) {
        require(
            node.position.line > 0 && node.position.column > 0 && node.position.line <= lines + 1, "\(node.position)")
        switch node.value {
        case .null, .scalar: return
        case .sequence(let nodes): for node in nodes { check(node, lines: lines) }
        case .mapping(let entries):
            require(Set(entries.map { Array($0.key.utf8) }).count == entries.count, "a key twice")
            for entry in entries { check(entry.value, lines: lines) }
        }
    }

    private static func json(_ node: YAMLNode) -> String {
        switch node.value {
        case .null: "null"
        case .scalar(let text, _): quoted(text)
        case .sequence(let nodes): "[" + nodes.map(json).joined(separator: ", ") + "]"
        case .mapping(let entries):
            "{" + entries.map { quoted($0.key) + ": " + json($0.value) }.joined(separator: ", ") + "}"
        }
    }

    /// In quotes, with YAML's escapes for all that is not visible ASCII.
    private static func quoted(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar in
            guard (0x20...0x7E).contains(scalar.value), scalar != "\"", scalar != "\\" else {
                let digits = String(scalar.value, radix: 16)
                return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }
            return String(scalar)
        }
        return "\"" + characters.joined() + "\""
    }
}

/// PKCS #11 URIs. What is accepted is the same in its shortest form, names a key and a token, and holds no secret; no
/// refusal repeats a value.
enum PKCS11Target {
    static func run(_ input: [UInt8]) {
        let text = input.text
        do throws(PKCS11URIError) {
            let uri = try PKCS11URI(text)
            require(optional { () throws(PKCS11URIError) in try PKCS11URI(uri.text) } == uri, "\(uri.text)")
            require(uri.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(uri.text)")
            require(!uri.text.contains(";pin-") && !uri.text.contains("?"), "\(uri.text)")
            require(uri[.token] ?? uri[.serial] != nil && uri[.object] ?? uri[.id] != nil, "\(uri.text)")
        } catch {
            require(error.problem.isOneLine && !error.problem.contains("CANARY"), error.problem)
        }
    }
}
