/// Lets the log say something at most once in so many seconds. Times are seconds of one clock.
package struct LogInterval: Sendable {
    private let seconds: Int64
    private var last = Int64.min / 2

    package init(seconds: Int64 = 60) { self.seconds = seconds }

    /// Whether to log it now.
    package mutating func isDue(at now: Int64) -> Bool {
        // The clock may have been set back.
        guard now - last >= seconds || now < last else { return false }
        last = now
        return true
    }
}
