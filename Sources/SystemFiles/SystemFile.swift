import Glibc
import Synchronization

/// A file or pipe that is open for reading. It is closed when this object is released.
package final class SystemFile {
    private static let chunk = 16 << 10
    /// How long a program may take to open a pipe for writing, in milliseconds.
    private static let patience: Int32 = 1000
    /// How long a pipe may take to be written to its end, in milliseconds.
    package static let deadline: Int32 = 5000

    private let descriptor: Int32
    /// What was opened: the path that was given, or that of the original.
    let path: String

    /// Opens the file, relative to the current directory, or the original of a copy by systemd if that can be read.
    package init(path: String) throws(SystemFileError) {
        // A blocking open of a named pipe without a writer would wait forever. Other files behave the same either way.
        let readable = CredentialCopies.own.readable(path)
        let descriptor = open(readable, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.openingFailure(path) }
        (self.descriptor, self.path) = (descriptor, readable)
    }

    private static let isSandboxed = Atomic(false)

    /// Call it when a sandbox limits the files of this process, so that errors say what it refuses.
    package static func sandboxLimitsFiles() { isSandboxed.store(true, ordering: .relaxed) }

    /// Landlock refuses with the error of permissions, but only open(2) asks it, and not access(2).
    private static func openingFailure(_ path: String) -> SystemFileError {
        let code = errno
        guard code == EACCES, isSandboxed.load(ordering: .relaxed),
            faccessat(AT_FDCWD, CredentialCopies.own.readable(path), R_OK, AT_EACCESS) == 0
        else { return SystemFileError("cannot be opened", code: code) }
        return .outsideSandbox
    }

    /// The file's type, owner, permissions and times (fstat(2)).
    package func status() throws(SystemFileError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemFileError("cannot be examined") }
        return status
    }

    /// Whether it is a pipe without a name, such as `<(…)` and most of `/dev/stdin`: it was handed to this program, and no
    /// other user can open it.
    package var isUnnamedPipe: Bool {
        let beginning = "pipe:[".utf8.map { CChar(bitPattern: $0) }
        var target = [CChar](repeating: 0, count: beginning.count)
        let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
        return count == beginning.count && target == beginning
    }

    /// The file up to its end, but no more than this number of bytes. Throws if its writer takes longer than so many
    /// milliseconds; nil waits without a limit, and so does a terminal.
    package func read(
        atMost limit: Int, within milliseconds: Int32? = deadline
    ) throws(SystemFileError) -> [UInt8] {
        let limited = isatty(descriptor) == 1 ? nil : milliseconds
        return try Self.read(
            descriptor, atMost: limit, awaitsWriter: true, until: limited.map { Self.now() + Int($0) })
    }

    /// Standard input up to its end, but no more than this number of bytes.
    package static func readStandardInput(atMost limit: Int) throws(SystemFileError) -> [UInt8] {
        try read(0, atMost: limit, awaitsWriter: false, until: nil)
    }

    private static func read(
        _ descriptor: Int32, atMost limit: Int, awaitsWriter: Bool, until end: Int?
    ) throws(SystemFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, Self.chunk))
        var wasReady = awaitsWriter ? nil : true
        while bytes.count < limit {
            let size = min(chunk.count, limit - bytes.count)
            let count = SystemCall.retryingEINTR { Glibc.read(descriptor, &chunk, size) }
            if count > 0 { bytes += chunk[..<count] }
            if count == 0 {
                // The end, unless it is a pipe that no program has opened for writing yet.
                guard bytes.isEmpty, wasReady == nil else { break }
                wasReady = isReady(descriptor, within: patience)
            } else if count < 0, errno == EAGAIN {
                let left = end.map { Int32(max(0, $0 - now())) }
                guard isReady(descriptor, within: left ?? -1) else { throw .unfinished }
            } else if count < 0 {
                throw SystemFileError("cannot be read")
            }
        }
        if bytes.isEmpty, wasReady == false { throw .unwritten }
        return bytes
    }

    /// Whether there is something to read, or the end, within this number of milliseconds; -1 waits without a limit.
    private static func isReady(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        SystemCall.isReady(descriptor, for: POLLIN, within: milliseconds)
    }

    /// The monotonic clock in milliseconds.
    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    deinit {
        close(descriptor)
    }
}

/// Why a file cannot be read or written.
package struct SystemFileError: Error {
    /// What cannot be done, such as "cannot be opened".
    package let problem: String
    /// The system's reason, such as "No such file or directory".
    package let reason: String
    /// Whether the file or its folder does not exist.
    package let isMissing: Bool

    /// The problem with the description of this `errno`.
    package init(_ problem: String, code: Int32 = errno) {
        self.init(problem, String(cString: strerror(code)), isMissing: code == ENOENT || code == ENOTDIR)
    }

    private init(_ problem: String, _ reason: String, isMissing: Bool) {
        (self.problem, self.reason, self.isMissing) = (problem, reason, isMissing)
    }

    fileprivate static let unwritten = SystemFileError(
        "cannot be read", "no program writes to this pipe", isMissing: false)

    fileprivate static let unfinished = SystemFileError(
        "cannot be read", "the program that writes to this pipe has not ended it in time", isMissing: false)

    fileprivate static let outsideSandbox = SystemFileError(
        "cannot be opened",
        "its folder is not one of those that the configuration named at the start, and the sandbox allows no other; "
            + "restart to apply",
        isMissing: false)

    /// A predicate of the file.
    package var predicate: String { "\(problem): \(reason)" }
}
