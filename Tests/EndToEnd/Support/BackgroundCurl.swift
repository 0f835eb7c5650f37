import ChildProcess

/// One exchange by the `curl` program that goes on while the test does.
struct BackgroundCurl {
    private let process: Child
    private let output: OutputPipe

    init(_ url: String) throws {
        output = try OutputPipe()
        process = try Child(
            ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "20", url], output: .pipe(output))
    }

    /// The status of the answer, once it is there.
    func status() throws -> String { try output.read() }
}
