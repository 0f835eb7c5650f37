import CallerAccess
import TokenService

/// The headers that explain sends to the back end, as serve would for a real request.
struct ShownFields {
    let fields: [BackEndQuestion.Field]
    /// The names of `forward_auth.headers` without a value.
    let unsent: [String]

    /// The header of the credentials only.
    init(beside credentials: CallerCredentials) {
        (fields, unsent) = (credentials.shownFields, [])
    }

    /// What serve would send if these headers are configured: the credentials of a flag, or the given `Authorization` unless
    /// it is repeated, and all values of the other headers.
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
    /// The header that would contain them.
    fileprivate var shownFields: [BackEndQuestion.Field] {
        switch self {
        case .none, .certificate, .foreign, .unusable: []
        case .token(let bytes, _), .apiKey(let bytes):
            [BackEndQuestion.Field("authorization", Array("Bearer ".utf8) + bytes)]
        }
    }
}
