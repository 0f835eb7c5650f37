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

/// Twice as many threads as there are processors, since most jobs wait, which take them in turn.
private final class BlockingExecutor: TaskExecutor {
    private let jobs = BlockingJobs()

    init() {
        for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
            Thread.detachNewThread { [unowned self] in
                while true { jobs.next().runSynchronously(on: asUnownedTaskExecutor()) }
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) { jobs.add(UnownedJob(job)) }
}

/// `@unchecked Sendable`: the condition guards the jobs.
private final class BlockingJobs: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [UnownedJob] = []

    func add(_ job: UnownedJob) {
        condition.withLock { waiting.append(job) }
        condition.signal()
    }

    /// Waits for one.
    func next() -> UnownedJob {
        condition.withLock {
            while waiting.isEmpty { condition.wait() }
            return waiting.removeFirst()
        }
    }
}
