/// The keys of session tickets in their time: one that seals, and the former one, which still opens. Whoever resumes with
/// the former is given a new ticket, so that what a stolen key opens is soon over.
struct TicketKeyRing<Key: Sendable>: Sendable {
    /// Nanoseconds for which a key seals, and then for which it only opens.
    static var period: UInt64 { 12 * 3600 * 1_000_000_000 }

    /// The key that seals.
    private(set) var current: Key
    /// The key that only opens.
    private(set) var former: Key?
    private var madeAt: UInt64

    init(_ key: Key, at now: UInt64) {
        (current, madeAt) = (key, now)
    }

    /// Puts a new key in the place of one whose time is over; if none can be made the present one stays.
    mutating func turn(to now: UInt64, making make: () -> Key?) {
        guard now >= madeAt + Self.period, let key = make() else { return }
        former = now < madeAt + 2 * Self.period ? current : nil
        (current, madeAt) = (key, now)
    }
}
