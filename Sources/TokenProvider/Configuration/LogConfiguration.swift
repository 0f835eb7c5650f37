extension Configuration {
    /// What is logged, to standard error.
    struct Log: Sendable, Equatable {
        /// The least severe level that is logged.
        var level = Level.info
        /// The form of a line.
        var format = Format.text
        /// Whether requests are logged.
        var access = true
        /// One of this many requests is logged.
        var accessSample = 1
        /// How ids appear.
        var ids = IDs.digest

        /// Whether a request leaves a line: those are of the level info.
        var logsRequests: Bool { access && [.trace, .debug, .info].contains(level) }

        /// The levels of swift-log, by its names.
        enum Level: String, CaseIterable, Sendable {
            case trace, debug, info, notice, warning, error, critical
        }

        /// The form of a line.
        enum Format: String, CaseIterable, Sendable {
            case text, json
        }

        /// How ids appear.
        enum IDs: String, CaseIterable, Sendable {
            /// As a keyed digest: equal ids look equal, and none can be read.
            case digest
            /// As they are.
            case plain
        }
    }
}
