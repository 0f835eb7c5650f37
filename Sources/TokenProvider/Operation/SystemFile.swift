import Glibc

/// A file that is open for reading; closed with its owner.
final class SystemFile {
    private static let chunk = 16 << 10

    private let descriptor: Int32

    /// Opens the file, relative to the current directory.
    init(path: String) throws(SystemFileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFileError("cannot be opened") }
        self.descriptor = descriptor
    }

    /// What the system knows of the file.
    func status() throws(SystemFileError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemFileError("cannot be examined") }
        return status
    }

    /// The file to its end, but no more than so many bytes.
    func read(atMost limit: Int) throws(SystemFileError) -> [UInt8] {
        try Self.read(descriptor, atMost: limit)
    }

    /// Standard input to its end, but no more than so many bytes.
    static func readStandardInput(atMost limit: Int) throws(SystemFileError) -> [UInt8] {
        try read(0, atMost: limit)
    }

    private static func read(_ descriptor: Int32, atMost limit: Int) throws(SystemFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, Self.chunk))
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemFileError("cannot be read") }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    deinit {
        close(descriptor)
    }
}

/// Why a file is not read.
struct SystemFileError: Error {
    /// What cannot be done, such as "cannot be opened".
    let problem: String
    /// The system's reason, such as "No such file or directory".
    let reason: String

    /// The problem with what `errno` says of it.
    fileprivate init(_ problem: String) {
        self.problem = problem
        reason = String(cString: strerror(errno))
    }

    /// A predicate of the file.
    var predicate: String { "\(problem): \(reason)" }
}
