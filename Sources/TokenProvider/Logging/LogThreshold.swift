import Logging
import ServiceConfiguration
import Synchronization

/// The least severe level that is logged; a reload can change it.
final class LogThreshold: Sendable {
    /// In the order of severity.
    private static let levels = Logger.Level.allCases

    private let place: Atomic<Int>

    init(_ level: Configuration.Log.Level) { place = Atomic(LogThreshold.place(of: level.logged)) }

    var level: Logger.Level { LogThreshold.levels[place.load(ordering: .relaxed)] }

    func set(_ level: Configuration.Log.Level) { set(level.logged) }

    func set(_ level: Logger.Level) { place.store(LogThreshold.place(of: level), ordering: .relaxed) }

    private static func place(of level: Logger.Level) -> Int { levels.firstIndex(of: level) ?? 0 }
}

extension Configuration.Log.Level {
    fileprivate var logged: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}
