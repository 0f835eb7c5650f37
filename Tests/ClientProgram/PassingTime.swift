import Foundation
import TokenProviderClient

/// Hours that pass in a moment, for the client and for a daemon under `faketime`, whose clock is ahead by the seconds in
/// a file.
struct PassingTime {
    let client: TokenProviderClient
    let clock: ShiftedClock
    let file: String

    /// Asks so many times. Before each call, and while no request is in flight, all clocks go forward.
    func ask(for subject: FleetEngineSubject, _ calls: Int, every seconds: TimeInterval) async throws -> Report {
        var report = Report()
        for call in 1...calls {
            while await client.isFetching(subject) { try await Task.sleep(nanoseconds: 1_000_000) }
            // The daemon's first: its token then seems to live shorter, not longer.
            try setDaemon(ahead: seconds * Double(call))
            clock.advance(by: seconds)
            do {
                let token = try await client.token(for: subject)
                report.add(.success(token))
                let left = try Self.end(of: token.string) - Date().timeIntervalSince1970 - seconds * Double(call)
                report.leastLeft = min(report.leastLeft ?? left, left)
            } catch {
                report.add(.failure(error))
            }
        }
        return report
    }

    private func setDaemon(ahead seconds: TimeInterval) throws {
        try Data("+\(seconds)\n".utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    }

    /// The claim `exp`, in seconds since the epoch.
    private static func end(of token: String) throws -> TimeInterval {
        struct Claims: Decodable { let exp: TimeInterval }
        var text = token.split(separator: ".").dropFirst().first.map(String.init) ?? ""
        text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return try JSONDecoder().decode(Claims.self, from: Data(base64Encoded: text) ?? Data()).exp
    }
}
