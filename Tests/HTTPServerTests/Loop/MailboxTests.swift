import Concurrency
import Dispatch
import Glibc
import TestSupport
import Testing

@testable import HTTPServer

struct MailboxTests {
    /// How often the loop was woken since the last call.
    private func wakeUps(_ mailbox: Mailbox) -> UInt64 {
        var count: UInt64 = 0
        return read(mailbox.descriptor.number, &count, 8) == 8 ? count : 0
    }

    @Test func `many messages wake the loop once until they are taken`() throws {
        let mailbox = try Mailbox()
        for connection in UInt64(0)..<1000 { mailbox.post(.evicted(connection: connection)) }
        #expect(wakeUps(mailbox) == 1)
        #expect(mailbox.takeAll().count == 1000)
        mailbox.post(.drain)
        #expect(wakeUps(mailbox) == 1)
    }

    @Test func `turn requests are answered when the mailbox closes and afterwards`() throws {
        let mailbox = try Mailbox()
        let turns = Guarded(0)
        let ask = Mailbox.Message.turn { turns.withLock { $0 += 1 } }
        mailbox.post(ask)
        mailbox.post(.drain)
        #expect(turns.withLock { $0 } == 0)
        mailbox.close()
        #expect(turns.withLock { $0 } == 1)
        mailbox.post(ask)
        mailbox.post(.stop)
        #expect(turns.withLock { $0 } == 2)
        #expect(mailbox.takeAll().isEmpty)
    }

    @Test func `messages from several threads arrive complete and in order per thread`() throws {
        let mailbox = try Mailbox()
        let threads = 4
        let each = 20_000
        let group = DispatchGroup()
        for thread in 0..<threads {
            DispatchQueue(label: "poster \(thread)").async(group: group) {
                for number in 0..<each { mailbox.post(.evicted(connection: UInt64(thread * each + number))) }
            }
        }
        var next = (0..<threads).map { UInt64($0 * each) }
        var taken = 0
        while taken < threads * each {
            // A lost wake-up would leave messages in the mailbox, and this wait would time out.
            var entry = pollfd(fd: mailbox.descriptor.number, events: Int16(POLLIN), revents: 0)
            try #require(poll(&entry, 1, Patience.milliseconds) == 1)
            for case .evicted(let connection) in mailbox.takeAll() {
                let thread = Int(connection) / each
                #expect(connection == next[thread])
                next[thread] += 1
                taken += 1
            }
        }
        group.wait()
        #expect(mailbox.takeAll().isEmpty)
    }
}
