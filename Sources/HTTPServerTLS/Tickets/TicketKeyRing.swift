/// The rotating keys of session tickets: one encrypts, and the previous one still decrypts. A client that resumes with
/// the previous key gets a new ticket, so a stolen key is soon useless.
struct TicketKeyRing<Key: Sendable>: Sendable {
    /// Nanoseconds for which a key encrypts, and then for which it only decrypts.
    static var period: UInt64 { 12 * 3600 * 1_000_000_000 }

    /// The key that encrypts.
    private(set) var current: Key
    /// The key that only decrypts.
    private(set) var previous: Key?
    private var madeAt: UInt64

    init(_ key: Key, at now: UInt64) {
        (current, madeAt) = (key, now)
    }

    /// Replaces a key whose period has ended; if no new key can be made, the current one stays.
    mutating func turn(to now: UInt64, making make: () -> Key?) {
        guard now >= madeAt + Self.period, let key = make() else { return }
        previous = now < madeAt + 2 * Self.period ? current : nil
        (current, madeAt) = (key, now)
    }
}
