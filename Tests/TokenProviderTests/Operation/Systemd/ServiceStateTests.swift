@testable import Locking
import Dispatch
import Glibc
@testable import HTTPServer
import Testing

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
    func `a manager watches as long as it says, and only the process it names`(
        environment: [String: String], interval: UInt64?
    ) throws {
        #expect(try manager(environment).watchdogInterval == interval)
    }

    @Test func `without a manager nobody is told, and a name that cannot be one is refused`() throws {
        #expect(try ServiceManager([:], process: 7) == nil)
        #expect(try ServiceManager(["NOTIFY_SOCKET": ""], process: 7) == nil)
        for name in ["relative", "vsock:2:1234", "/" + String(repeating: "a", count: 107)] {
            #expect(throws: SystemError.self) { try ServiceManager(["NOTIFY_SOCKET": name], process: 7) }
        }
    }

    @Test func `a manager that is gone is told in vain`() throws {
        let manager = try #require(try ServiceManager(["NOTIFY_SOCKET": "/nowhere/notify"], process: 7))
        manager.tell("READY=1")
        manager.flush()
    }

    @Test func `the watchdog hears of a daemon only once its loops have turned`() throws {
        let loops = HeldTurns()
        let state = ServiceState(try manager(["WATCHDOG_USEC": "2000"]), figures: { "fine" }, afterTurn: loops.turn)
        state.start()
        #expect(notify.next() == ["READY=1", "STATUS=fine"])
        // It is asked again and again, but as long as no loop turns nothing is told.
        for _ in 0..<5 { #expect(loops.asked.wait(timeout: .now() + 20) == .success) }
        #expect(notify.isEmpty)
        loops.release()
        #expect(notify.next() == ["WATCHDOG=1", "STATUS=fine"])
        // From here on the drain has a limit of its own.
        state.drain()
        var told = notify.next()
        while told == ["WATCHDOG=1", "STATUS=fine"] { told = notify.next() }
        #expect(told == ["STOPPING=1", "STATUS=Draining"])
        #expect(notify.next() == ["WATCHDOG=1"])
    }

    @Test func `a reload is told with its time, and its end once all is read`() throws {
        let state = ServiceState(try manager(), figures: { "fine" }, afterTurn: { _ in })
        let group = DispatchGroup()
        group.enter()
        state.reload(until: group)
        let told = notify.next()
        #expect(told.first == "RELOADING=1")
        #expect(told.last?.hasPrefix("MONOTONIC_USEC=") == true)
        state.flush()
        #expect(notify.isEmpty)
        group.leave()
        #expect(notify.next() == ["READY=1", "STATUS=fine"])
    }
}

/// Loops that turn once they are let; none of Dispatch's threads waits for them, of which there are only so many.
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
