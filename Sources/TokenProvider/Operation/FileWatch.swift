import ServiceConfiguration
import Glibc
import Locking
import TokenService

/// Whether files have changed since they were last read, by looks at them from time to time.
///
/// Looks, and no inotify(7): a look goes through symbolic links to whatever they lead to now, which is how Kubernetes
/// changes a secret (`..data`) and how an editor that renames does; and it sees what is changed on another machine, or below
/// an overlay, of which the kernel tells nobody.
final class FileWatch: Sendable {
    /// The paths that were read, with what the system said of each just before.
    struct Files: Sendable, Equatable {
        private(set) var states: [String: FileState] = [:]

        /// Notes a file that is going to be read.
        mutating func note(_ path: String?) {
            guard let path, states[path] == nil else { return }
            states[path] = FileState(path)
        }

        /// These, and the others too.
        func merging(_ others: Files) -> Files { Files(states: states.merging(others.states) { own, _ in own }) }

        /// The same files as they are now.
        var again: Files { Files(states: Dictionary(uniqueKeysWithValues: states.keys.map { ($0, FileState($0)) })) }
    }

    private struct State {
        /// As they were read.
        var read: Files
        /// As the last look found them.
        var seen: Files
        var isWatching = false
    }

    private let state: Guarded<State>

    init(_ files: Files) { state = Guarded(State(read: files, seen: files)) }

    /// Says that somebody is going to look; false if somebody is already.
    func begin() -> Bool {
        state.withLock { state in
            defer { state.isWatching = true }
            return !state.isWatching
        }
    }

    /// Says that the look is done.
    func end() { state.withLock { $0.isWatching = false } }

    /// Looks whether something has changed since it was read, and not since the last look: whoever writes may be at it.
    func hasSettledChange() -> Bool {
        state.withLock { state in
            let now = state.read.again
            defer { state.seen = now }
            return now != state.read && now == state.seen
        }
    }

    /// Reads, and takes what was noted as read, however the reading ends; files that a broken configuration does not come to
    /// stay watched.
    func noting<Value: Sendable>(
        _ read: (inout Files) throws(ConfigurationErrors) -> Value
    ) throws(ConfigurationErrors) -> Value {
        let former = state.withLock { $0.read }.again
        var files = Files()
        do throws(ConfigurationErrors) {
            let value = try read(&files)
            take(files)
            return value
        } catch {
            take(files.merging(former))
            throw error
        }
    }

    private func take(_ files: Files) { state.withLock { ($0.read, $0.seen) = (files, files) } }
}

/// What the system says of a file, by which a change is known; whatever stands behind symbolic links.
struct FileState: Sendable, Equatable {
    private let numbers: [Int]

    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            numbers = [Int(errno)]
            return
        }
        // The time of the last change of any kind, which nobody sets: permissions that were wrong may be right now.
        numbers = [
            Int(bitPattern: UInt(status.st_dev)), Int(bitPattern: UInt(status.st_ino)), Int(status.st_size),
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
        ]
    }
}
