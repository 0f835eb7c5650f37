import TestSupport

/// A headless browser; its profiles are in a folder that is removed with it.
struct Browser {
    private let scratch: Scratch

    /// The browser puts its sockets in this folder too, and a socket's path has at most 108 characters.
    init() throws { scratch = try Scratch(named: "browser-\(UInt32.random(in: 0 ... .max))") }

    func path(_ name: String) -> String { scratch.path(name) }

    /// The DOM of a page after it has loaded. Visits with the same profile name share a profile.
    func page(_ url: String, _ flags: [String], profile: String = "profile") throws -> String {
        let usual = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--no-proxy-server", "--disable-background-networking", "--dump-dom", "--user-data-dir=\(path(profile))",
        ]
        return try Child.run(["chromium"] + usual + flags + [url], environment: ["TMPDIR": scratch.folder.path]).output
    }
}
