import TokenService

extension WebPages {
    /// The console of the admin listener.
    static let console = WebPages(
        [page(PackageResources.console_html)] + common + [
            script("charts", PackageResources.charts_js), script("figures", PackageResources.figures_js),
            script("questions", PackageResources.questions_js), script("console", PackageResources.console_js),
            script("refusals", PackageResources.refusals_js), script("status", PackageResources.status_js),
            script("terms", PackageResources.terms_js),
        ])

    /// The playground of the demo, which verifies tokens by this JWK set. For a project of the Firebase emulator it makes
    /// unsigned tokens itself.
    static func playground(verifyingBy keySet: [UInt8], asEmulatorOf project: String? = nil, hasDrivers: Bool = false)
        -> WebPages
    {
        var html = String(decoding: PackageResources.playground_html, as: UTF8.self)
        if let project {
            let drivers = hasDrivers ? " data-drivers" : ""
            html = html.replacing(
                "<body>", with: "<body data-emulator=\"https://securetoken.google.com/\(project)\"\(drivers)>"
            )
            .replacing(" id=\"emulator\" hidden", with: " id=\"emulator\"")
        }
        return WebPages(
            [page(Array(html.utf8))] + common + [
                script("playground", PackageResources.playground_js),
                script("snippets", PackageResources.snippets_js), script("callers", PackageResources.callers_js),
                script("highlight", PackageResources.highlight_js),
                File(path: "/playground/keys.json", type: "application/jwk-set+json", content: keySet),
            ])
    }

    private static let common = [
        File(path: "/assets/style.css", type: "text/css; charset=utf-8", content: PackageResources.style_css),
        File(path: "/assets/icon.svg", type: "image/svg+xml", content: PackageResources.icon_svg),
        script("page", PackageResources.page_js),
    ]

    private static func page(_ content: [UInt8]) -> File {
        File(path: "/", type: "text/html; charset=utf-8", content: content)
    }

    private static func script(_ name: String, _ content: [UInt8]) -> File {
        File(path: "/assets/\(name).js", type: "text/javascript; charset=utf-8", content: content)
    }
}
