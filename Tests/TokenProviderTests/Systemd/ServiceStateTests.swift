import Dispatch
import Glibc
import TestSupport
import Testing

@testable import HTTPServer
@testable import Concurrency
@testable import TokenProvider

@Suite struct ServiceStateTests {
    let notify: NotifySocket

    init() throws { notify = try NotifySocket() }

    private func manager(_ environment: [String: String] = [:]) throws -> ServiceManager {
        let all = ["NOTIFY_SOCKET": notify.name].merging(environment) { $1 }
        return try #require(try ServiceManager(all, process: 7))
    }

    @Test(
        arguments: [
            (["WATCHDOG_USEC": "3000000"], 3_000_000_000), (["WATCHDOG_USEC": "1", "WATCHDOG_PID": "7"], 1000),
            (["WATCHDOG_USEC": "1", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "x"], nil), (["WATCHDOG_USEC": "18446744073709551615"], nil), ([:], nil),
        ] as [([String: String], UInt64?)])
    func `the watchdog interval applies only to the named process`(
        environment: [String: String], interval: UInt64?
    ) throws {
        #expect(try manager(environment).watchdogInterval == interval)
    }

    @Test func `without a manager nothing is sent; an invalid name is refused`() throws {
        #expect(try ServiceManager([:], process: 7) == nil)
        #expect(try ServiceManager(["NOTIFY_SOCKET": ""], process: 7) == nil)
        for name in ["relative", "vsock:2:1234", "/" + String(repeating: "a", count: 107)] {
            #expect(throws: SystemError.self) { try ServiceManager(["NOTIFY_SOCKET": name], process: 7) }
        }
    }

    @Test func `sending to a missing manager has no effect`() throws {
        let manager = try #require(try ServiceManager(["NOTIFY_SOCKET": "/nowhere/notify"], process: 7))
        manager.notify("READY=1")
        manager.flush()
    }

    @Test func `the watchdog is notified only after all event loops have run`() throws {
        let loops = HeldTurns()
        let state = ServiceState(try manager(["WATCHDOG_USEC": "2000"]), status: { "fine" }, afterTurn: loops.turn)
        state.start()
        #expect(notify.next() == ["READY=1", "STATUS=fine"])
        // The event loops are checked repeatedly, but nothing is sent until they run.
        for _ in 0..<5 { #expect(loops.asked.wait(timeout: Patience.end) == .success) }
        #expect(notify.isEmpty)
        loops.release()
        #expect(notify.next() == ["WATCHDOG=1", "STATUS=fine"])
        // From here on the drain's own time limit applies.
        state.drain()
        var received = notify.next()
        while received == ["WATCHDOG=1", "STATUS=fine"] { received = notify.next() }
        #expect(received == ["STOPPING=1", "STATUS=Draining"])
        #expect(notify.next() == ["WATCHDOG=1"])
    }

    @Test func `a reload is announced with its time, then reported as ready`() throws {
        let state = ServiceState(try manager(), status: { "fine" }, afterTurn: { _ in })
        let group = DispatchGroup()
        group.enter()
        state.reload(until: group)
        let received = notify.next()
        #expect(received.first == "RELOADING=1")
        #expect(received.last?.hasPrefix("MONOTONIC_USEC=") == true)
        state.flush()
        #expect(notify.isEmpty)
        group.leave()
        #expect(notify.next() == ["READY=1", "STATUS=fine"])
    }
}

/// Event loops that run once they are released. No Dispatch thread waits for them, because their number is limited.
private final class HeldTurns: Sendable {
    let asked = DispatchSemaphore(value: 0)
    private let held = Guarded<[@Sendable () -> Void]?>([])

    @Sendable func turn(_ done: @escaping @Sendable () -> Void) {
        let isHeld = held.withLock { held in
            held?.append(done)
            return held != nil
        }
        asked.signal()
        if !isHeld { done() }
    }

    func release() {
        let all = held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        for done in all { done() }
    }
}
