import FleetEngineToken
import HTTPClient
import StrictJSON
import SystemFiles

/// The token of another identity provider, read again for each exchange (AIP-4117).
enum SubjectToken {
    /// The token in a file.
    static func read(
        _ path: String, _ format: ExternalAccount.SubjectTokenFormat, _ type: SubjectTokenType
    ) throws(AccessTokenError) -> Secret {
        let content = try content(of: path, as: "the subject token file")
        do { return try token(in: content, format, type) } catch {
            throw AccessTokenError(
                "the subject token file \(path) \(error.predicate)", isTransient: error.mayBeOfPartOfFile)
        }
    }

    /// The content of a file that another program renews, which errors call by this name.
    static func content(of path: String, as name: String) throws(AccessTokenError) -> [UInt8] {
        let content: [UInt8]
        do { content = try SystemFile(path: path).read(atMost: TokenAnswer.maxBytes + 1) } catch {
            throw AccessTokenError("\(name) \(path) \(error.predicate)", isTransient: true)
        }
        guard content.count <= TokenAnswer.maxBytes else {
            throw AccessTokenError("\(name) \(path) is over 64 KiB; expected less")
        }
        return content
    }

    /// The token at a URL.
    static func fetch(
        _ url: OutgoingURL, _ fields: [HTTPClientField], _ format: ExternalAccount.SubjectTokenFormat,
        _ type: SubjectTokenType, by send: HTTPSend
    ) async throws(AccessTokenError) -> Secret {
        let answer = try await TokenRequest(.get, url, fields, hiding: fields.map { Secret($0.value) }).answer(by: send)
        let body = if case .text = format { try answer.text() } else { try answer.json() }
        do { return try token(in: body, format, type) } catch {
            throw answer.error("answered with a subject token that \(error.predicate)")
        }
    }

    /// The token in this content, without white space around it. Content of another form is none: whoever wrote the
    /// credentials file chose the file or the URL, and could have any secret sent to the STS.
    static func token(
        in content: [UInt8], _ format: ExternalAccount.SubjectTokenFormat, _ type: SubjectTokenType
    ) throws(SubjectTokenFault) -> Secret {
        let text: String
        switch format {
        case .text:
            guard let valid = String(validating: content, as: UTF8.self) else { throw .notUTF8 }
            text = valid
        case .json(let member):
            guard case .object(let members)? = try? JSONValue(parsing: content) else { throw .notObject }
            guard case .string(let value)? = members[JSONName(member)] else { throw .noMember(member) }
            text = value
        }
        let token = text.trimmingWhiteSpace
        guard !token.isEmpty else { throw .empty }
        guard type.hasForm(of: Array(token.utf8)) else { throw .otherForm(type) }
        return Secret(token)
    }
}

/// What a subject token is, as far as its form tells.
enum SubjectTokenType {
    /// A compact JWS (RFC 7515 section 7.1) of JSON objects.
    case jwt
    /// An assertion of SAML 2.0 in base64 without line breaks.
    case saml

    /// The type that `subject_token_type` names; all but SAML are JWTs, since AWS's token is made here.
    init(_ name: String) { self = name == "urn:ietf:params:oauth:token-type:saml2" ? .saml : .jwt }

    /// Whether the text may be such a token.
    fileprivate func hasForm(of token: [UInt8]) -> Bool {
        switch self {
        case .jwt:
            guard let parts = try? CompactJWSParts(splitting: token), !parts.signature.isEmpty else { return false }
            return (try? CompactJWSParts.object(in: parts.header, part: .header)) != nil
                && (try? CompactJWSParts.object(in: parts.payload, part: .payload)) != nil
                && (try? CompactJWSParts.bytes(of: parts.signature, part: .signature)) != nil
        case .saml:
            guard let content = Base64.decode(token), let text = String(validating: content, as: UTF8.self) else {
                return false
            }
            return text.trimmingWhiteSpace.hasPrefix("<") && text.contains("urn:oasis:names:tc:SAML:2.0:assertion")
        }
    }
}

/// Why content is not a subject token; it holds nothing of the content.
enum SubjectTokenFault: Error {
    case notUTF8, notObject, empty
    case noMember(String)
    case otherForm(SubjectTokenType)

    /// Whether the file may be about to be written, so that another try may succeed. Content of another form has another cause,
    /// which the log names at once.
    var mayBeOfPartOfFile: Bool {
        if case .otherForm = self { false } else { true }
    }

    /// The predicate of a sentence.
    var predicate: String {
        switch self {
        case .notUTF8: "is not UTF-8; expected the text of a token"
        case .notObject: "is not a JSON object; expected one, as the format is json"
        case .empty: "is empty; expected a token"
        case .otherForm(.jwt): "is not a JWT; expected one, as subject_token_type says"
        case .otherForm(.saml):
            "is not an assertion of SAML 2.0 in base64; expected one without line breaks, as subject_token_type says"
        case .noMember(let name):
            "has no text in the member \(JSONText.bare(JSONName(name))); expected the token, as subject_token_field_name says"
        }
    }
}
