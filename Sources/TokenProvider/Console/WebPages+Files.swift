import StrictJSON
import TokenService

/// A file of the folder `Web`, as it is compiled in. SwiftPM would embed a resource as an array literal, uncompressed
/// and slow to compile. A test compares each with its source.
struct WebFile: Sendable {
    /// Its name in the folder.
    let name: String
    /// Its content, compressed by gzip, as base64url.
    let content: String

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
    ]

    /// All of them.
    static let all = [
        consolePage, playgroundPage, style, icon, pageScript, chartsScript, figuresScript, questionsScript,
        consoleScript, playgroundScript, snippetsScript,
    ]

    /// The file for browsers at the path, or below `/assets/`.
    func file(at path: String? = nil) -> WebPages.File {
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        return WebPages.File(
            path: path ?? "/assets/\(name)", type: Self.types[ending] ?? "application/octet-stream",
            content: (try? Base64URL.decode(content.utf8)) ?? [], isCompressed: true)
    }
}

extension WebPages {
    /// The console of the admin listener.
    static let console = WebPages(
        [WebFile.consolePage.file(at: "/")]
            + [WebFile.style, .icon, .pageScript, .chartsScript, .figuresScript, .questionsScript, .consoleScript].map {
                $0.file()
            })

    /// The playground of the demo, which verifies tokens by this JWK set.
    static func playground(verifyingBy keySet: [UInt8]) -> WebPages {
        WebPages(
            [WebFile.playgroundPage.file(at: "/")]
                + [WebFile.style, .icon, .pageScript, .playgroundScript, .snippetsScript].map { $0.file() }
                + [File(path: "/playground/keys.json", type: "application/jwk-set+json", content: keySet)])
    }
}
