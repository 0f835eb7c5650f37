import Dispatch
import Foundation
import Logging
import TestSupport
import Testing

@testable import AuditLog
@testable import ServiceConfiguration
@testable import TokenProvider
@testable import TokenService

@Suite struct ReloadSequenceTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private func makeSequence(_ yaml: String = "callers: none", _ service: ServiceState? = nil) throws -> ReloadSequence
    {
        let configuration = try callerValues(yaml)
        let loaded = LoadedConfiguration(
            configuration: configuration, signers: Signers(trying: configuration))
        let parts = ServingParts(configuration, logger: .silent)
        let state = try ServingState(loaded, parts, logger: .silent) {
            try AuditRecorder(configuration, DaemonLogging(configuration.log))
        }
        let reloader = Reloader(
            Swappable(state), ReloadedParts(started: configuration), logger: .silent
        ) { _ in loaded }
        return ReloadSequence(reloader: reloader, service: service, logger: .silent)
    }

    private func run(_ sequence: ReloadSequence) -> ReloadOutcome? {
        let result = Locked<ReloadOutcome?>(nil)
        let done = DispatchSemaphore(value: 0)
        sequence.run { outcome in
            result.withLock { $0 = outcome }
            done.signal()
        }
        _ = done.wait(timeout: Patience.end)
        return result.withLock { $0 }
    }

    @Test func `the service manager is notified before and after the caller`() throws {
        let notify = try NotifySocket()
        let manager = try #require(try ServiceManager(["NOTIFY_SOCKET": notify.name], process: 7))
        let service = ServiceState(manager, status: { "fine" }, afterTurn: { _ in })
        let (called, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try makeSequence("callers: none", service).run { _ in
            called.signal()
            release.wait()
        }
        #expect(notify.next().first == "RELOADING=1")
        #expect(called.wait(timeout: Patience.end) == .success)
        service.flush()
        #expect(notify.isEmpty)
        release.signal()
        #expect(notify.next() == ["READY=1", "STATUS=fine"])
    }

    @Test func `a reload without problems succeeds and is counted`() throws {
        let sequence = try makeSequence()
        let outcome = try #require(run(sequence))
        #expect(outcome.failure == nil && outcome.isApplied)
        #expect(sequence.reloader.history.successes == 1)
    }

    @Test func `an audit file that cannot be reopened is reported, the rest applied`() throws {
        let path = folder.path("audit")
        let sequence = try makeSequence("callers: none\naudit: {output: file, file: '\(path)'}")
        try FileManager.default.moveItem(atPath: path, toPath: folder.path("audit.1"))
        _ = try folder.write("audit", Array("unrelated\n".utf8))
        let outcome = try #require(run(sequence))
        let failure = try #require(outcome.failure)
        #expect(failure.count == 1 && failure[0].hasPrefix("audit.file: \(path): is not empty"))
        #expect(failure[0].hasSuffix("; the audit log continues in the previous file"))
        #expect(outcome.isApplied)
        #expect(sequence.reloader.history.failures == 1)
    }
}
