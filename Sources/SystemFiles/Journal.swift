import Glibc

/// The systemd journal, if it reads what the program writes.
package enum Journal {
    /// Whether it reads what is written to a descriptor. JOURNAL_STREAM names the stream's device and inode
    /// (systemd.exec(5)), but the descriptor may have been redirected since.
    package static func reads(_ descriptor: Int32, _ environment: [String: String]) -> Bool {
        var status = stat()
        guard let stream = environment["JOURNAL_STREAM"], fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}

/// The severity of a line, with the numbers of syslog(3).
package enum LogPriority: UInt8 {
    case critical = 2
    case error, warning, notice, info, debug

    /// The prefix that tells the journal the severity and is removed by it (sd-daemon(3)), such as `<6>`.
    package var prefix: [UInt8] { [UInt8(ascii: "<"), UInt8(ascii: "0") + rawValue, UInt8(ascii: ">")] }
}
