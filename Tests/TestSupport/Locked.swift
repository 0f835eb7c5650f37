import Foundation

/// State that the threads of a test share, under a lock that the thread sanitizer understands.
///
/// `@unchecked Sendable`: only the holder of the lock touches the state.
package final class Locked<State>: @unchecked Sendable {
    private let lock = NSLock()
    private var state: State

    package init(_ state: State) {
        self.state = state
    }

    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        lock.withLock { body(&state) }
    }
}
