import FleetEngineToken
import Locking

/// What a reload replaces whole. Whoever needs it takes it once and keeps to it, so that nothing mixes two of them.
final class Swappable<Value: Sendable>: Sendable {
    private let value: Guarded<Value>

    init(_ value: Value) { self.value = Guarded(value) }

    /// What is in force now.
    var now: Value { value.withLock { $0 } }

    /// From now on this is in force.
    func replace(by new: Value) { value.withLock { $0 = new } }
}
