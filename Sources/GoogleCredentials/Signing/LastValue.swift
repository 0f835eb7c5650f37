import Locking

/// What was computed last, for those that ask for the same again and again.
final class LastValue<Key: Equatable & Sendable, Value: Sendable>: Sendable {
    private let state = Guarded<(key: Key, value: Value)?>(nil)

    /// The value if it was computed of this key.
    func value(of key: Key) -> Value? {
        state.withLock { state in state.flatMap { $0.key == key ? $0.value : nil } }
    }

    /// Replaces what was computed last.
    func set(_ value: Value, of key: Key) {
        state.withLock { $0 = (key, value) }
    }
}
