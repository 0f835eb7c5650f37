import ChildProcess

/// The browser, without a window, by a profile of its own; what it leaves behind goes with the folder.
struct Browser {
    private let scratch: Scratch

    /// Its own sockets stand in the folder too, and their paths may have 108 characters.
    init() throws { scratch = try Scratch(named: "browser-\(UInt32.random(in: 0 ... .max))") }

    func path(_ name: String) -> String { scratch.path(name) }

    /// What a page looks like once it is loaded; for all visits that share a profile's name it is the same one.
    func page(_ url: String, _ flags: [String], profile: String = "profile") throws -> String {
        let usual = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--no-proxy-server", "--disable-background-networking", "--dump-dom", "--user-data-dir=\(path(profile))",
        ]
        return try Child.run(["chromium"] + usual + flags + [url], environment: ["TMPDIR": scratch.folder.path]).output
    }
}
