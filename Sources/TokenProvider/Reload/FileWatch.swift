import Concurrency
import Glibc
import HTTPServer
import ServiceConfiguration
import SystemFiles

/// Polls whether files have changed since they were last read.
///
/// It uses stat(2) instead of inotify(7), because stat follows symbolic links to their present target. That is how Kubernetes
/// (`..data`) and some editors change a file. It also sees changes made on another machine or below an overlay, for which the
/// kernel sends no event.
final class FileWatch: Sendable {
    /// The paths that were read, each with its state just before.
    struct Files: Sendable, Equatable {
        private(set) var states: [String: FileState] = [:]

        /// Notes a file before it is read.
        mutating func note(_ path: String?) {
            guard let path, states[path] == nil else { return }
            states[path] = FileState(path)
        }

        /// These and the others.
        func merging(_ others: Files) -> Files { Files(states: states.merging(others.states) { own, _ in own }) }

        /// The same paths with their present states.
        var refreshed: Files {
            Files(states: Dictionary(uniqueKeysWithValues: states.keys.map { ($0, FileState($0)) }))
        }
    }

    private struct State {
        /// The states when the files were read.
        var read: Files
        /// The states at the last look.
        var seen: Files
        var isWatching = false
        /// When the files count as changed even if they are not, in nanoseconds of the monotonic clock; nil for never.
        var triesAgain: UInt64?
    }

    /// Nanoseconds.
    static let pause: UInt64 = 60_000_000_000

    private let state: Guarded<State>

    init(_ files: Files) { state = Guarded(State(read: files, seen: files)) }

    /// Begins a look; false if one is pending already.
    func begin() -> Bool {
        state.withLock { state in
            defer { state.isWatching = true }
            return !state.isWatching
        }
    }

    /// Ends a look.
    func end() { state.withLock { $0.isWatching = false } }

    /// What was read cannot be used now, for a reason that may pass without a change of a file: a wrong clock, or a service
    /// that does not answer. The files count as changed once, after a pause.
    func tryAgain(at now: UInt64 = MonotonicTime.now()) { state.withLock { $0.triesAgain = now + Self.pause } }

    /// Whether a file has changed since it was read, but not since the last look: until then it may still be written.
    func hasSettledChange(at time: UInt64 = MonotonicTime.now()) -> Bool {
        state.withLock { state in
            let now = state.read.refreshed
            defer { state.seen = now }
            guard now == state.seen else { return false }
            if let again = state.triesAgain, again <= time {
                state.triesAgain = nil
                return true
            }
            return now != state.read
        }
    }

    /// Reads files and watches those that were noted. After an error the previous files stay watched too, because a broken
    /// configuration may not name them.
    func noting<Value: Sendable>(
        _ read: (inout Files) throws(ConfigurationErrors) -> Value
    ) throws(ConfigurationErrors) -> Value {
        let previous = state.withLock { $0.read }.refreshed
        var files = Files()
        do throws(ConfigurationErrors) {
            let value = try read(&files)
            watch(files)
            return value
        } catch {
            watch(files.merging(previous))
            throw error
        }
    }

    private func watch(_ files: Files) {
        state.withLock { ($0.read, $0.seen, $0.triesAgain) = (files, files, nil) }
    }
}

/// What stat(2) says of a file, or of the target of a symbolic link; it differs once the file has changed.
struct FileState: Sendable, Equatable {
    private let numbers: [Int]

    init(_ path: String) {
        var status = stat()
        guard stat(CredentialCopies.own.readable(path), &status) == 0 else {
            numbers = [Int(errno)]
            return
        }
        // The ctime too, which no program can set: it also changes with the permissions, which may have been the error.
        numbers = [
            Int(bitPattern: UInt(status.st_dev)), Int(bitPattern: UInt(status.st_ino)), Int(status.st_size),
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
        ]
    }
}
