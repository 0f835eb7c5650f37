import Foundation
import Testing

/// Runs a suite's tests on threads of their own, because they wait for processes. On the threads that all tasks share,
/// they would keep other suites' asynchronous tests from going on, for as long as all of them take.
struct BlockingTests: SuiteTrait, TestTrait, TestScoping {
    private static let executor = BlockingExecutor()

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.executor) { try await body() }
    }
}

extension Trait where Self == BlockingTests {
    static var blocking: Self { Self() }
}

/// As many threads as there are processors.
private final class BlockingExecutor: TaskExecutor {
    private let threads: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
        return queue
    }()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
