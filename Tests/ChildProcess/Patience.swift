import Glibc

/// How long tests wait for others: long enough for any machine, but never for ever.
public enum Patience {
    public static let limit = Duration.seconds(600)

    /// Looks again and again until it is so.
    public static func wait(for what: String, within limit: Duration = limit, until isSo: () throws -> Bool) throws {
        let end = ContinuousClock.now + limit
        while try !isSo() {
            guard ContinuousClock.now < end else { throw ChildError("\(what): not within \(limit)") }
            usleep(1000)
        }
    }
}
