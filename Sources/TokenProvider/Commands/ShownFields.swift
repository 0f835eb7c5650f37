import CallerAccess
import TokenService

/// The fields of a request that was never made, which a back end is shown all the same.
struct ShownFields {
    /// Those that it is shown.
    let fields: [BackEndQuestion.Field]
    /// The names of `forward_auth.headers` that nobody gave a value for.
    let unsent: [String]

    /// No field but those of the credentials.
    init(beside credentials: CallerCredentials) {
        (fields, unsent) = (credentials.shownFields, [])
    }

    /// What serve would show a back end that gets the fields of these names: the credentials that a flag says, or
    /// `Authorization` as it was given, if once, since nobody chooses between two; and all values of the others.
    init(_ given: GivenFields, of names: [String], beside credentials: CallerCredentials) {
        var shown = credentials.shownFields
        if case .once(let value) = given.authorization { shown.append(BackEndQuestion.Field("authorization", value)) }
        for name in names {
            shown += given.values(of: name).map { BackEndQuestion.Field(name.lowercased(), $0) }
        }
        fields = shown
        unsent = names.filter { given.values(of: $0).isEmpty }
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
