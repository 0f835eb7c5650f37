import HTTPClient
import StrictJSON
import SystemFiles

/// The token of another identity provider, read again for each exchange (AIP-4117).
enum SubjectToken {
    /// The token in a file.
    static func read(
        _ path: String, _ format: ExternalAccount.SubjectTokenFormat
    ) throws(AccessTokenError) -> Secret {
        let content: [UInt8]
        do throws(SystemFileError) {
            content = try SystemFile(path: path).read(atMost: TokenAnswer.maxBytes + 1)
        } catch {
            throw AccessTokenError("the subject token file \(path) \(error.predicate)", isTransient: true)
        }
        guard content.count <= TokenAnswer.maxBytes else {
            throw AccessTokenError("the subject token file \(path) is over 64 KiB; expected less")
        }
        do throws(SubjectTokenFault) {
            return try token(in: content, format)
        } catch {
            // The file may be about to be written, so another try may succeed.
            throw AccessTokenError("the subject token file \(path) \(error.predicate)", isTransient: true)
        }
    }

    /// The request for a token from a URL.
    static func request(
        _ url: OutgoingURL, _ fields: [HTTPClientField], _ format: ExternalAccount.SubjectTokenFormat
    ) throws(AccessTokenError) -> TokenRequest<Secret> {
        try TokenRequest(
            .get, url, fields, hiding: fields.map { Secret($0.value) }
        ) { answer throws(AccessTokenError) in
            let body = try answer.body()
            do throws(SubjectTokenFault) {
                return try token(in: body, format)
            } catch {
                throw answer.error("answered with a subject token that \(error.predicate)")
            }
        }
    }

    /// The token in this content, without white space around it.
    static func token(
        in content: [UInt8], _ format: ExternalAccount.SubjectTokenFormat
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
        return Secret(token)
    }
}

/// Why content is not a subject token; it holds nothing of the content.
enum SubjectTokenFault: Error {
    case notUTF8, notObject, empty
    case noMember(String)

    /// The predicate of a sentence.
    var predicate: String {
        switch self {
        case .notUTF8: "is not UTF-8; expected the text of a token"
        case .notObject: "is not a JSON object; expected one, as the format is json"
        case .empty: "is empty; expected a token"
        case .noMember(let name):
            "has no text in the member \(JSONText.bare(JSONName(name))); expected the token, as subject_token_field_name says"
        }
    }
}
