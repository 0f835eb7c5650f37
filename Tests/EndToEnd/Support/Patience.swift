import Foundation
import Testing

/// How long tests wait for a program: long enough for any machine, but never for ever.
enum Patience {
    private static let seconds = 600.0

    /// Looks again and again until it is so.
    static func wait(for what: String, until isSo: () throws -> Bool) throws {
        let end = Date(timeIntervalSinceNow: seconds)
        while try !isSo() {
            try #require(Date() < end, "\(what): not within \(seconds) s")
            usleep(10_000)
        }
    }

    /// Returns once a program has ended, which it is made to where it takes too long.
    static func waitForEnd(of process: Process) {
        let identifier = process.processIdentifier
        let killer = DispatchWorkItem { kill(identifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: killer)
        process.waitUntilExit()
        killer.cancel()
    }
}
