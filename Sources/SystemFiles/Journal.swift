import Glibc

/// The journal, where it reads what a program writes to standard error.
package enum Journal {
    /// Whether it reads standard error.
    package static let readsErrors = reads(2, Environment.variables())

    /// Whether it reads what is written to a descriptor: JOURNAL_STREAM names the stream's device and inode
    /// (systemd.exec(5)), and another one may have taken its place since.
    package static func reads(_ descriptor: Int32, _ environment: [String: String]) -> Bool {
        var status = stat()
        guard let stream = environment["JOURNAL_STREAM"], fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}

/// How much a line matters, by the numbers of syslog(3).
package enum LogPriority: UInt8 {
    case critical = 2
    case error, warning, notice, info, debug

    /// What the journal takes off the beginning of a line (sd-daemon(3)): `<6>`.
    package var prefix: [UInt8] { [UInt8(ascii: "<"), UInt8(ascii: "0") + rawValue, UInt8(ascii: ">")] }
}
