import Concurrency
import Dispatch
import HTTPClient
import HTTPServer
import Logging
import ServiceConfiguration
import TokenService

/// Loads the files again and replaces the whole state, or none of it: the new state is made beside the previous one.
///
/// Reloads run one after the other. Requests that arrive before a reload begins share it.
final class Reloader: Sendable {
    typealias Completion = @Sendable (ReloadOutcome) -> Void

    let current: Swappable<ServingState>
    private let parts: ReloadedParts
    private let watch: FileWatch
    private let logger: Logger
    private let load: @Sendable (inout FileWatch.Files) throws(ConfigurationErrors) -> LoadedConfiguration
    private let queue = DispatchQueue(label: "reload")
    private let pending = Guarded<(completions: [Completion], problems: [String])>(([], []))
    private let outcomes = Guarded(ReloadHistory())

    /// Begins with a state that is active. `load` loads the files as they are now, and notes their paths.
    init(
        _ current: Swappable<ServingState>, _ parts: ReloadedParts, watching files: FileWatch.Files = FileWatch.Files(),
        logger: Logger,
        loading load: @escaping @Sendable (inout FileWatch.Files) throws(ConfigurationErrors) -> LoadedConfiguration
    ) {
        self.current = current
        (self.parts, self.logger, self.load) = (parts, logger, load)
        watch = FileWatch(files)
    }

    var history: ReloadHistory { outcomes.withLock { $0 } }

    /// Reloads in the background, then calls back on that thread. `problem` is a failure beside the reload, which the outcome
    /// includes.
    func reload(reporting problem: String? = nil, then completion: @escaping Completion = { _ in }) {
        let isFirst = pending.withLock { pending in
            if let problem { pending.problems.append(problem) }
            defer { pending.completions.append(completion) }
            return pending.completions.isEmpty
        }
        if isFirst { queue.async { self.reloadForAll() } }
    }

    /// Reloads whenever a file has changed, if `reload.watch` says so.
    func watchFiles() {
        queue.async { self.scheduleLook() }
    }

    /// Writes the pending sums of refusals.
    func writeRefusalSums() { current.now.retained.refusals.writeSums() }

    private func scheduleLook() {
        guard let interval = current.now.configuration.reload.watch, watch.begin() else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(interval / .milliseconds(1)))) {
            if self.watch.hasSettledChange() {
                self.logger.info("configuration files changed; reloading")
                self.reload()
            }
            self.watch.end()
            self.scheduleLook()
        }
    }

    private func reloadForAll() {
        // A request from now on may be about a change that this reload does not see.
        let waiting = pending.withLock { pending in
            defer { pending = ([], []) }
            return pending
        }
        var outcome = tryReload()
        outcome.failures += waiting.problems
        outcomes.withLock { $0.add(outcome, at: ServerTime.now().epochSeconds) }
        outcome.log(to: logger)
        for completion in waiting.completions { completion(outcome) }
        scheduleLook()
    }

    private func tryReload() -> ReloadOutcome {
        do throws(ConfigurationErrors) {
            let previous = current.now.configuration
            let needRestart = try replaceAll()
            let configuration = current.now.configuration
            let changed = SettingsTable.all.filter { $0.differs(in: configuration, previous) }.map(\.path)
            return ReloadOutcome(needRestart: needRestart, changed: changed)
        } catch {
            // The operator may have reloaded because a key was withdrawn, which the failure has nothing to do with.
            let callers = current.now.callers
            callers.fetchKeysAgain(of: callers)
            return ReloadOutcome(isApplied: false, failures: error.sentences)
        }
    }

    /// Replaces the state. Returns a sentence for each change that needs a restart or is late.
    private func replaceAll() throws(ConfigurationErrors) -> [String] {
        var isLoaded = false
        do throws(ConfigurationErrors) {
            let loaded = try watch.noting { (files) throws(ConfigurationErrors) in try load(&files) }
            isLoaded = true
            return try replaceAll(by: loaded)
        } catch {
            if isLoaded || error.mayPass { watch.tryAgain() }
            throw error
        }
    }

    private func replaceAll(by loaded: LoadedConfiguration) throws(ConfigurationErrors) -> [String] {
        let previous = current.now
        let new = try ServingState.load(loaded, after: previous, logger: logger)
        do { try new.start(after: previous) } catch {
            new.retire(for: previous)
            throw error
        }
        current.replace(by: new)
        ClockWatch.shared.forget(before: new.created.monotonic)
        let late = parts.serve(new, logger: logger)
        previous.retire(for: new)
        new.callers.fetchKeysAgain(of: previous.callers)
        new.callers.logKeys(after: previous.callers, to: logger)
        new.noteWay(after: previous, to: logger)
        logger.warn(of: new.warnings)
        // By then the last requests of the previous state have ended.
        Server.releaseFreedMemory(after: .seconds(10))
        return late + parts.apply(new)
    }
}
