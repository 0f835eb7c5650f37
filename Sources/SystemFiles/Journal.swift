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
