import FleetEngineToken
import HTTPServer
import TokenService

/// The fields of a request that was never made, as `--header` gives them.
struct GivenFields {
    private struct Field {
        /// The name as it was written.
        let spelling: String
        /// The name in lower case.
        let name: String
        let value: [UInt8]
    }

    private var fields: [Field] = []

    /// Lines of the form `Name: value`.
    init(_ lines: [String]) throws(GivenFieldError) {
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { throw .noColon }
            let spelling = String(line[..<colon])
            let text = line[colon...].utf8.dropFirst().drop(while: Self.isSpace)
            let value: [UInt8] = text.reversed().drop(while: Self.isSpace).reversed()
            fields.append(Field(spelling: spelling, name: spelling.lowercased(), value: value))
        }
    }

    /// Throws unless serve would read each for credentials, or send it to a back end that gets the headers of these names.
    /// Also throws if one has credentials beside those of a flag.
    func check(against names: [String], _ own: CredentialFields, besides flag: String?) throws(GivenFieldError) {
        for field in fields {
            let hasCredentials = own.names.contains(field.name)
            if hasCredentials, let flag { throw .saidByFlag(field.spelling, flag) }
            guard hasCredentials || names.contains(where: { $0.lowercased() == field.name }) else {
                throw .unnamed(field.spelling)
            }
        }
    }

    /// The values of all fields of this name, in the order of their lines.
    func values(of name: String) -> [[UInt8]] {
        let name = name.lowercased()
        return fields.filter { $0.name == name }.map(\.value)
    }

    /// How often there is a field of this name, and its value where there is one.
    func occurrence(of name: String) -> FieldOccurrence<[UInt8]> {
        let values = values(of: name)
        guard let first = values.first else { return .none }
        return values.count == 1 ? .once(first) : .repeated
    }

    /// How often there is `Authorization`, and its value where there is one.
    var authorization: FieldOccurrence<[UInt8]> { occurrence(of: "authorization") }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

extension CallerCredentials {
    /// What a request with these fields shows, read as serve reads it.
    init(_ fields: GivenFields, in own: CredentialFields) {
        var found = FieldOccurrence<CallerCredentials>.none
        for name in own.names {
            for value in fields.values(of: name) {
                found.add(.once(own.credentials(name, value) ?? CallerCredentials(authorization: value.span)))
            }
        }
        self.init(found, in: own.names.filter { !fields.values(of: $0).isEmpty })
    }
}

/// Why a line is not a header that serve would use.
enum GivenFieldError: Error {
    case noColon
    case unnamed(String)
    case saidByFlag(String, String)

    var sentence: String {
        switch self {
        case .noColon: "--header has no colon; expected 'Name: value'"
        case .unnamed(let name):
            "--header \(name): serve ignores this header; expected Authorization, api_keys.header, issuers[].header or a "
                + "name of forward_auth.headers"
        case .saidByFlag(let name, let flag):
            "--header \(name): \(flag) already names the caller; expected one of them"
        }
    }
}
