extension Configuration {
    /// What is logged, to standard error.
    package struct Log: Sendable, Equatable {
        /// The least severe level that is logged.
        package var level = Level.info
        /// The form of a line.
        package var format = Format.text
        /// Whether requests are logged.
        package var access = true
        /// One of this many requests is logged.
        package var accessSample = 1
        /// How ids appear.
        package var ids = IDs.digest

        /// Whether a request leaves a line: those are of the level info.
        package var logsRequests: Bool { access && [.trace, .debug, .info].contains(level) }

        /// The levels of swift-log, by its names.
        package enum Level: String, CaseIterable, Sendable {
            case trace, debug, info, notice, warning, error, critical
        }

        /// The form of a line.
        package enum Format: String, CaseIterable, Sendable {
            case text, json
        }

        /// How ids appear.
        package enum IDs: String, CaseIterable, Sendable {
            /// As a keyed digest: equal ids look equal, and none can be read.
            case digest
            /// As they are.
            case plain
        }
    }
}
