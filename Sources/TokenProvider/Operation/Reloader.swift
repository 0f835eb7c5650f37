import ServiceConfiguration
import Dispatch
import Locking
import Logging
import TokenService

/// Replaces all that the files say, or nothing of it: what is new is made beside the previous and swapped for it whole.
///
/// Reloads run one after the other, and whoever asks while one waits to begin has the same.
final class Reloader: Sendable {
    typealias Ended = @Sendable (ReloadOutcome) -> Void

    /// What is in force.
    let current: Swappable<ServingState>
    private let parts: ReloadedParts
    private let watch: FileWatch
    private let logger: Logger
    private let read: @Sendable (inout FileWatch.Files) throws(ConfigurationErrors) -> LoadedConfiguration
    private let queue = DispatchQueue(label: "reload")
    private let waiting = Guarded<(ended: [Ended], problems: [String])>(([], []))
    private let past = Guarded(ReloadHistory())

    /// Begins with an state that is active. `read` reads the files as they are now, and notes which those are.
    init(
        _ current: Swappable<ServingState>, _ parts: ReloadedParts, watching files: FileWatch.Files = FileWatch.Files(),
        logger: Logger,
        reading read: @escaping @Sendable (inout FileWatch.Files) throws(ConfigurationErrors) -> LoadedConfiguration
    ) {
        self.current = current
        (self.parts, self.logger, self.read) = (parts, logger, read)
        watch = FileWatch(files)
    }

    /// What became of reloads.
    var history: ReloadHistory { past.withLock { $0 } }

    /// Reloads in the background, and calls back on the thread that does; what could not be done beside it is told with what
    /// comes of it.
    func reload(without problem: String? = nil, then ended: @escaping Ended = { _ in }) {
        let isFirst = waiting.withLock { waiting in
            if let problem { waiting.problems.append(problem) }
            defer { waiting.ended.append(ended) }
            return waiting.ended.isEmpty
        }
        if isFirst { queue.async { self.reloadForAll() } }
    }

    /// Reloads whenever a file has changed, while the configuration wants it.
    func watchFiles() {
        queue.async { self.lookAgain() }
    }

    /// Ends all fetching.
    func stop() { current.now.callers.stopFeeds(besides: nil) }

    private func lookAgain() {
        guard let pause = current.now.configuration.reload.watch, watch.begin() else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(pause / .milliseconds(1)))) {
            if self.watch.hasSettledChange() {
                self.logger.info("files have changed")
                self.reload()
            }
            self.watch.end()
            self.lookAgain()
        }
    }

    private func reloadForAll() {
        // Whoever asks from now on may know of a change that this one does not see.
        let waiting = waiting.withLock { waiting in
            defer { waiting = ([], []) }
            return waiting
        }
        let outcome = tryReload().without(waiting.problems)
        past.withLock { $0.note(outcome) }
        outcome.tell(logger)
        for ended in waiting.ended { ended(outcome) }
        lookAgain()
    }

    private func tryReload() -> ReloadOutcome {
        do throws(ConfigurationErrors) {
            return .done(later: try replaceAll())
        } catch {
            return .failed(error.sentences)
        }
    }

    /// What of the new state counts from the next start on, a sentence each.
    private func replaceAll() throws(ConfigurationErrors) -> [String] {
        let previous = current.now
        let reading = try watch.noting { (files) throws(ConfigurationErrors) in try read(&files) }
        var errors = ConfigurationErrors(sentences: [])
        let files =
            errors.noting { () throws(ConfigurationErrors) in
                try parts.certificates?.read(reading.configuration.values)
            } ?? nil
        let callers = errors.noting { () throws(ConfigurationErrors) in
            try CallerSetup.prepared(reading.configuration.values, after: previous.callers, logger: logger)
        }
        guard let callers else { throw errors }
        let new: ServingState
        do throws(ConfigurationErrors) {
            guard errors.sentences.isEmpty else { throw errors }
            new = try parts.state(reading, callers, after: previous, logger: logger)
            if let files { try parts.certificates?.replace(by: files) }
        } catch {
            callers.stopFeeds(besides: previous.callers)
            throw error
        }
        current.replace(by: new)
        let late = parts.serve(new, logger: logger)
        previous.callers.stopFeeds(besides: callers)
        for warning in reading.warnings + callers.warnings { logger.warning("\(warning)") }
        return late + parts.take(reading.configuration)
    }
}
