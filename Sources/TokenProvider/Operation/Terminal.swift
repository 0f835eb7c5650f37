import Glibc

/// Lines for people, written at once: a line in a buffer is lost when the process is killed.
enum Terminal {
    /// To standard output.
    static func say(_ line: String) { put(line, on: 1) }

    /// To standard error.
    static func complain(_ line: String) { put("token-provider: \(line)", on: 2) }

    private static func put(_ line: String, on descriptor: Int32) {
        let bytes = Array("\(line)\n".utf8)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
