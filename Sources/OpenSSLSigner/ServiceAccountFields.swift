import OpenSSLCrypto
import StrictJSON

/// The four members of a service account's key file that matter for signing.
struct ServiceAccountFields {
    enum Name: String {
        case type
        case clientEmail = "client_email"
        case privateKeyID = "private_key_id"
        case privateKey = "private_key"
    }

    private let members: JSONObject

    init(json: [UInt8], source: String) throws(CredentialError) {
        guard case .object(let members) = try Self.parse(json, source) else { throw Self.notObject(source) }
        self.members = members
    }

    private static func parse(_ json: [UInt8], _ source: String) throws(CredentialError) -> JSONValue {
        if let fault = TextFault(in: json) {
            throw CredentialError(source: source, field: nil, problem: "the file \(fault.problem(expecting: expected))")
        }
        do {
            return try JSONValue(parsing: json)
        } catch {
            throw CredentialError(source: source, field: nil, problem: problem(error, in: json))
        }
    }

    private static func problem(_ error: JSONError, in json: [UInt8]) -> String {
        switch error.problem {
        case .repeatedName: "the file repeats a member's name at byte \(error.offset); expected each name once"
        case .cutOff: "the file is truncated: its JSON ends early, at byte \(error.offset); expected \(expected)"
        case _ where json.starts(with: "-----BEGIN ".utf8): "the file is PEM, not JSON; expected \(expected)"
        default: "the file is not JSON: it \(error.reason)"
        }
    }

    private static func notObject(_ source: String) -> CredentialError {
        CredentialError(source: source, field: nil, problem: "the file is not a JSON object; expected \(expected)")
    }

    private static let expected = "a service account's key as Google Cloud makes it"

    /// The member's text. Throws if it is missing, empty or not a text.
    func text(_ name: Name, source: String) throws(CredentialError) -> String {
        switch members[JSONName(name.rawValue)] {
        case nil: throw CredentialError(name, source, "is missing; expected a string")
        case .string(""): throw CredentialError(name, source, "is empty; expected a string with a value")
        case .string(let text): return text
        default: throw CredentialError(name, source, "is not a string; expected one")
        }
    }
}

extension CredentialError {
    init(_ name: ServiceAccountFields.Name, _ source: String, _ problem: String) {
        self.init(source: source, field: name.rawValue, problem: problem)
    }
}
