import OpenSSLCrypto
import StrictJSON

/// The members of a credentials file, or of an object in it; every error names the file and the member. It may hold
/// secrets, so keep it no longer than a file is parsed.
package struct CredentialMembers {
    /// The file, as its caller named it.
    package let source: String
    /// Where the object is in the file, such as `credential_source.`; empty for the whole file.
    private let prefix: String
    private let members: JSONObject

    /// Parses a file strictly. `expected` is what the file should hold, for messages after "expected". Throws for
    /// anything but a JSON object in UTF-8 (RFC 8259) without repeated names.
    package init(parsing content: [UInt8], source: String, expecting expected: String) throws(CredentialError) {
        let problem: String
        do throws(JSONError) {
            if let fault = TextFault(in: content) {
                problem = fault.problem(expecting: expected)
            } else if case .object(let members) = try JSONValue(parsing: content) {
                guard let wrapping = Self.wrapping(members) else {
                    self.init(members, source, prefix: "")
                    return
                }
                problem = "\(wrapping); expected \(expected)"
            } else {
                problem = "is not a JSON object; expected \(expected)"
            }
        } catch {
            problem = Self.problem(error, in: content, expecting: expected)
        }
        throw CredentialError(source: source, field: nil, problem: "the file \(problem)")
    }

    private init(_ members: JSONObject, _ source: String, prefix: String) {
        (self.members, self.source, self.prefix) = (members, source, prefix)
    }

    private static func problem(_ error: JSONError, in content: [UInt8], expecting expected: String) -> String {
        switch error.problem {
        case _ where isBase64(content): "is base64: unpack it by base64 -d; expected \(expected)"
        case .repeatedName: "repeats a member's name at byte \(error.offset); expected each name once"
        case .cutOff: "is truncated: its JSON ends early, at byte \(error.offset); expected \(expected)"
        case _ where content.starts(with: "-----BEGIN ".utf8): "is PEM, not JSON; expected \(expected)"
        default: "is not JSON: it \(error.reason)"
        }
    }

    /// What a file is that has the wanted one in base64, as a predicate; nil for any other.
    private static func wrapping(_ members: JSONObject) -> String? {
        if members["privateKeyData"] != nil {
            return "is an answer of IAM: unpack its key file by jq -r .privateKeyData FILE | base64 -d"
        }
        guard case .object(let data) = members["data"], data["private_key_data"] != nil else { return nil }
        return "is an answer of Vault: unpack its key file by jq -r .data.private_key_data FILE | base64 -d"
    }

    /// Whether it seems to be an object in base64, which begins with these letters, and not a token or words.
    private static func isBase64(_ content: [UInt8]) -> Bool {
        ["ey", "ew"].contains { content.starts(with: $0.utf8) } && !content.contains { ". ".utf8.contains($0) }
    }

    /// An error about the member: its name in the file, with dots between nested names, and what is wrong with it.
    package func error(_ name: String, _ problem: String) -> CredentialError {
        CredentialError(source: source, field: prefix + name, problem: problem)
    }

    /// The names of all members in the order of the file.
    package var names: [String] { members.names.map(\.text) }

    /// Whether there is such a member, and it is not null.
    package func holds(_ name: String) -> Bool { value(name) != nil }

    /// The member's text. Throws if it is missing, empty or not a string.
    package func text(_ name: String) throws(CredentialError) -> String {
        switch members[JSONName(name)] {
        case nil: throw error(name, "is missing; expected a string")
        case .string(""): throw error(name, "is empty; expected a string with a value")
        case .string(let text): return text
        default: throw error(name, "is not a string; expected one")
        }
    }

    /// The member's text; nil if it is missing or null. Throws if it is empty or not a string.
    package func optionalText(_ name: String) throws(CredentialError) -> String? {
        holds(name) ? try text(name) : nil
    }

    /// The member's whole number; nil if it is missing or null. Throws if it is not one of 64 bits.
    package func optionalWhole(_ name: String) throws(CredentialError) -> Int64? {
        switch value(name) {
        case nil: return nil
        case .integer(let number): return number
        default: throw error(name, "is not a whole number; expected one")
        }
    }

    /// The member's object; nil if it is missing or null. Throws if it is not an object.
    package func optionalObject(_ name: String) throws(CredentialError) -> CredentialMembers? {
        switch value(name) {
        case nil: return nil
        case .object(let members): return CredentialMembers(members, source, prefix: "\(prefix)\(name).")
        default: throw error(name, "is not an object; expected one")
        }
    }

    /// The member's object. Throws if it is missing or not an object.
    package func object(_ name: String) throws(CredentialError) -> CredentialMembers {
        guard let members = try optionalObject(name) else { throw error(name, "is missing; expected an object") }
        return members
    }

    /// The member's strings, none if it is missing or null. Throws if it is not an array of strings.
    package func texts(_ name: String) throws(CredentialError) -> [String] {
        guard let value = value(name) else { return [] }
        guard case .array(let elements) = value else { throw error(name, "is not an array; expected one of strings") }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else {
                throw error(name, "holds something other than strings; expected an array of strings")
            }
            texts.append(text)
        }
        return texts
    }

    private func value(_ name: String) -> JSONValue? {
        guard let value = members[JSONName(name)], value != .null else { return nil }
        return value
    }
}
