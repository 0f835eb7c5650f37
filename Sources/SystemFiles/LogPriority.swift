import Logging

/// How much a line matters, by the numbers of syslog(3).
package enum LogPriority: UInt8 {
    case critical = 2
    case error, warning, notice, info, debug

    /// The priority of a level, of which there are more.
    package init(_ level: Logger.Level) {
        self =
            switch level {
            case .critical: .critical
            case .error: .error
            case .warning: .warning
            case .notice: .notice
            case .info: .info
            case .debug, .trace: .debug
            }
    }

    /// What the journal takes off the beginning of a line (sd-daemon(3)): `<6>`.
    package var prefix: [UInt8] { [UInt8(ascii: "<"), UInt8(ascii: "0") + rawValue, UInt8(ascii: ">")] }
}
