import TestSupport

/// One request by the `curl` program that runs in the background.
struct BackgroundCurl {
    private let process: Child
    private let output: OutputPipe

    init(_ url: String) throws {
        output = try OutputPipe()
        process = try Child(
            ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "600", url], output: .pipe(output))
    }

    /// Waits for the answer, and returns its status.
    func status() throws -> String { try output.read() }
}
