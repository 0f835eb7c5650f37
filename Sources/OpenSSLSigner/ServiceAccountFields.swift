internal import FoundationEssentials

/// The four members of a service account's key file that matter for signing; each is read by itself, so that the
/// error can name it.
struct ServiceAccountFields: Decodable {
    enum Name: String, CodingKey, CaseIterable {
        case type
        case clientEmail = "client_email"
        case privateKeyID = "private_key_id"
        case privateKey = "private_key"
    }

    private enum Member {
        case missing
        case notString
        case string(String)
    }

    private let members: [Name: Member]

    init(json: [UInt8], source: String) throws(CredentialError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json))
        } catch {
            // The decoder's own words may quote the file, and with it the key.
            throw CredentialError(
                source: source, field: nil,
                problem: "the file is not a JSON object; expected a service account's key as Google Cloud makes it")
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        members = Dictionary(
            uniqueKeysWithValues: Name.allCases.map { name in
                guard container.contains(name) else { return (name, .missing) }
                return (name, (try? container.decode(String.self, forKey: name)).map(Member.string) ?? .notString)
            })
    }

    /// The member's text, which is there and not empty.
    func text(_ name: Name, source: String) throws(CredentialError) -> String {
        switch members[name] ?? .missing {
        case .missing: throw CredentialError(name, source, "is missing; expected a string")
        case .notString: throw CredentialError(name, source, "is not a string; expected one")
        case .string(""): throw CredentialError(name, source, "is empty; expected a string with a value")
        case .string(let text): return text
        }
    }
}

extension CredentialError {
    init(_ name: ServiceAccountFields.Name, _ source: String, _ problem: String) {
        self.init(source: source, field: name.rawValue, problem: problem)
    }
}
