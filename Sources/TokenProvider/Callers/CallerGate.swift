import Locking

/// The tables that decide about callers now. A request takes them once and is decided by them alone, so that no decision
/// mixes two configurations.
final class CallerGate: Sendable {
    private let tables: Guarded<CallerTables>

    init(_ tables: CallerTables) {
        self.tables = Guarded(tables)
    }

    /// The tables for a request that is decided now.
    var current: CallerTables { tables.withLock { $0 } }

    /// Takes new tables in place of the former ones; every request that comes later is decided by them.
    func replaceTables(by new: CallerTables) {
        tables.withLock { $0 = new }
    }
}
