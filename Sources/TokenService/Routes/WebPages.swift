import HTTPServer
import OpenSSLCrypto
import StrictJSON

/// Files for web browsers, rendered once. The file at `/` is for requests that accept HTML only.
///
/// Browsers may load nothing else, from nowhere else, run no other script, and show the pages in no frame.
package struct WebPages: Sendable {
    /// A file, its path and its media type.
    package struct File: Sendable {
        package let path: String
        let type: String
        let content: [UInt8]

        package init(path: String, type: String, content: [UInt8]) {
            (self.path, self.type, self.content) = (path, type, content)
        }
    }

    fileprivate struct Answers {
        let tag: String
        let whole: HTTPResponse
        let unchanged: HTTPResponse
    }

    private static let root = "/"
    fileprivate static let security = [
        (
            name: "Content-Security-Policy",
            value: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
                + "trusted-types 'none'"
        ),
        ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    private let answers: [String: Answers]

    /// Files with different paths.
    package init(_ files: [File]) {
        answers = Dictionary(files.map { ($0.path, Answers($0)) }) { first, _ in first }
    }

    /// The file at the request's path; nil if there is none.
    package func answer(to request: borrowing HTTPRequest) -> HTTPResponse? {
        let path = request.path
        guard request.method.reads, let file = answers[path] else { return nil }
        guard path != Self.root || Self.acceptsHTML(request) else { return nil }
        let known = request.values(of: "if-none-match").contains { Self.text($0).contains(file.tag) }
        return known ? file.unchanged : file.whole
    }

    private static func acceptsHTML(_ request: borrowing HTTPRequest) -> Bool {
        request.values(of: "accept").contains { text($0).lowercased().contains("text/html") }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension WebPages.Answers {
    fileprivate init(_ file: WebPages.File) {
        let digest = Base64URL.encode(SHA256Digest(of: file.content).bytes)
        tag = "\"\(String(decoding: digest, as: UTF8.self))\""
        let lasting = [(name: "ETag", value: tag), ("Cache-Control", "no-cache")] + WebPages.security
        let fields = [(name: "Content-Type", value: file.type)] + lasting
        func response(_ status: HTTPStatus, _ fields: [(name: String, value: String)], _ body: [UInt8]) -> HTTPResponse
        {
            HTTPResponse(
                status: status, fields: HTTPFields(fields) ?? .none, body: body,
                annotation: HTTPAnnotation(route: file.path), tally: AnswerTally(.other, .answered))
        }
        whole = response(.ok, fields, file.content)
        unchanged = response(.notModified, lasting, [])
    }
}
