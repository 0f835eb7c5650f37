import Dispatch
import Glibc

/// How long tests wait for a condition: long enough for a slow machine, but not forever.
package enum Patience {
    package static let limit = Duration.seconds(600)
    /// The same for poll(2).
    package static let milliseconds: Int32 = 600_000
    /// The same for waits of Dispatch that begin now.
    package static var end: DispatchTime { .now() + .seconds(600) }

    /// Checks the condition every millisecond until it holds; throws after the limit.
    package static func wait(for what: String, within limit: Duration = limit, until isSo: () throws -> Bool) throws {
        let end = ContinuousClock.now + limit
        while try !isSo() {
            guard ContinuousClock.now < end else { throw ChildError("\(what): not within \(limit)") }
            usleep(1000)
        }
    }
}
