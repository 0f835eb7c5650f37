import StrictJSON

/// Why a key of a JWK set is skipped.
package enum JWKError: Error {
    case missing(String)
    case unlike(String, [String])
    case otherForm(String)
    case privateMember(String)
    case repeatedKeyID(namesakes: Int)
    case unfit(PublicKeyError)
    case refused(JSONError)

    /// A predicate of the key.
    var problem: String {
        switch self {
        case .missing(let name): "has no \(name)"
        case .unlike(let name, let expected): "has \(name) other than \(Self.list(expected))"
        case .otherForm(let name): "has \(name) in another form than RFC 7518 asks for"
        case .privateMember(let name): "has \(name), a part of a private key; expected a public key"
        case .repeatedKeyID(let count): "has the kid of \(count) other keys; expected at most \(JWKSet.maxNamesakes)"
        case .unfit(let error): error.problem
        case .refused(let error): error.reason
        }
    }

    /// For example `RSA, EC or OKP`, each name once.
    private static func list(_ names: [String]) -> String {
        let distinct = names.enumerated().filter { !names.prefix($0.offset).contains($0.element) }.map(\.element)
        let (first, last) = (distinct.dropLast().joined(separator: ", "), distinct.last ?? "")
        return first.isEmpty ? last : "\(first) or \(last)"
    }
}
