import CallerAccess

/// The fields of a request that was never made, which a back end is shown all the same.
struct ShownFields {
    /// Those that it is shown.
    let fields: [BackEndQuestion.Field]
    /// The names of `forward_auth.fields` that nobody gave a value for.
    let unsent: [String]

    /// No field but those of the credentials.
    init(beside credentials: CallerCredentials) {
        (fields, unsent) = (credentials.shownFields, [])
    }

    /// Lines of the form `Name: value`, each of one of these names, or `Authorization` where there are no credentials: what
    /// stands there may be of a scheme that the back end alone knows.
    init(_ lines: [String], of names: [String], beside credentials: CallerCredentials) throws(ShownFieldError) {
        let shown = credentials == .none ? ["authorization"] + names : names
        var given: [(name: String, value: [UInt8])] = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { throw .noColon }
            let name = line[..<colon].lowercased()
            guard shown.contains(where: { $0.lowercased() == name }) else { throw .unnamed(String(line[..<colon])) }
            let value = line[colon...].utf8.dropFirst().drop(while: Self.isSpace)
            given.append((name, value.reversed().drop(while: Self.isSpace).reversed()))
        }
        fields =
            credentials.shownFields
            + shown.flatMap { name in
                given.filter { $0.name == name.lowercased() }.map { BackEndQuestion.Field($0.name, $0.value) }
            }
        unsent = names.filter { name in !given.contains { $0.name == name.lowercased() } }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

/// Why a line is no field that a back end would be shown.
enum ShownFieldError: Error {
    case noColon
    case unnamed(String)

    /// One sentence.
    var sentence: String {
        switch self {
        case .noColon: "--field has no colon; expected 'Name: value'"
        case .unnamed(let name):
            "--field \(name): serve would not show it; expected a name of forward_auth.fields"
        }
    }
}

extension CallerCredentials {
    /// The field that they would stand in.
    fileprivate var shownFields: [BackEndQuestion.Field] {
        switch self {
        case .none, .certificate, .foreign, .unusable: []
        case .token(let bytes), .apiKey(let bytes):
            [BackEndQuestion.Field("authorization", Array("Bearer ".utf8) + bytes)]
        }
    }
}
