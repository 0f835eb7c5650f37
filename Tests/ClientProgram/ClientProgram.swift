import Foundation
import TokenProviderClient

/// Drives the client library for end-to-end tests: it reads one command a line, and answers some with a line of JSON.
///
/// | command | does |
/// |---|---|
/// | `url URL` | begins with a new client |
/// | `credentials A [B]` | the closure returns A, and B after A was refused |
/// | `ask KIND:ID CALLERS SECONDS` | that many callers ask at once; answers once all have ended |
/// | `invalidate KIND:ID` | |
/// | `advance SECONDS` | the client's clocks go forward |
/// | `pass KIND:ID CALLS SECONDS FILE` | asks so many times, and moves all clocks forward before each call; see `PassingTime` |
@main enum ClientProgram {
    static func main() async throws {
        let app = ScriptedApp()
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            guard let command = words.first else { continue }
            if let report = try await app.run(command, Array(words.dropFirst())) {
                // Not by print, which keeps what goes to a pipe.
                FileHandle.standardOutput.write(try JSONEncoder().encode(report) + Data("\n".utf8))
            }
        }
    }
}

/// What a command found.
struct Report: Codable {
    /// The different tokens, in any order.
    var tokens: [String] = []
    /// The different errors: the server's code, or what the error says.
    var errors: [String] = []
    /// How many callers got a token.
    var served = 0
    /// The fewest seconds that a token had left when a caller got it, by the daemon's clock.
    var leastLeft: Double?
}
