import Foundation
import Testing

/// Runs a suite's tests on threads of their own.
package struct BlockingTests: SuiteTrait, TestTrait, TestScoping {
    /// Twice as many threads as there are processors, since most jobs wait.
    fileprivate static let waiting = BlockingExecutor(threads: 2 * ProcessInfo.processInfo.activeProcessorCount)
    fileprivate static let prompt = BlockingExecutor(threads: 1)

    fileprivate let executor: BlockingExecutor
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(executor) { try await body() }
    }
}

extension Trait where Self == BlockingTests {
    /// For tests that wait for processes. On the threads that all tasks share, they would keep other suites' asynchronous tests
    /// from going on, for as long as all of them take.
    package static var blocking: Self { Self(executor: BlockingTests.waiting) }

    /// For asynchronous tests whose steps follow each other within seconds, which other tests must not delay.
    package static var prompt: Self { Self(executor: BlockingTests.prompt) }
}

/// Threads that take jobs in turn. It lives as long as the program.
private final class BlockingExecutor: TaskExecutor {
    private let jobs = BlockingJobs()

    init(threads: Int) {
        for _ in 0..<threads {
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
