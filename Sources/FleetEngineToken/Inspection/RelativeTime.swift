/// A span of time as people say it, in the largest unit of which there is one whole.
package enum RelativeTime {
    private static let units: [(seconds: UInt64, name: String)] = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]

    /// For example `12 min`, of so many seconds in either direction.
    package static func span(_ seconds: Int64) -> String {
        let count = seconds.magnitude
        let unit = units.first { count >= $0.seconds } ?? (1, "s")
        return "\(count / unit.seconds) \(unit.name)"
    }
}
