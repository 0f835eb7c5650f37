import Glibc
import Testing

@testable import HTTPServer

struct ConnectionTableTests {
    private func insert(into table: inout ConnectionTable) throws -> UInt64 {
        let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
        try #require(number >= 0)
        let descriptor = Descriptor(takingOwnershipOf: number)
        return table.insert(
            descriptor, ConnectionPeer(), ConnectionMachine(timeouts: ConnectionTimeouts(), at: 0)
        ).identifier
    }

    @Test func `a connection is found by its identifier until it is removed`() throws {
        var table = ConnectionTable()
        let identifiers = try (0..<5).map { _ in try insert(into: &table) }
        #expect(Set(identifiers).count == 5)
        #expect(table.count == 5)
        #expect(identifiers.allSatisfy { table[$0]?.identifier == $0 })
        table.remove(identifiers[2])
        #expect(table[identifiers[2]] == nil)
        #expect(table.count == 4)
        #expect(Set(table.all.map(\.identifier)) == Set(identifiers).subtracting([identifiers[2]]))
    }

    @Test func `a stale identifier finds nothing after its place is reused`() throws {
        var table = ConnectionTable()
        var seen: Set<UInt64> = []
        for _ in 0..<100 {
            let identifier = try insert(into: &table)
            #expect(seen.insert(identifier).inserted)
            #expect(seen.filter { table[$0] != nil } == [identifier])
            table.remove(identifier)
        }
        #expect(table.count == 0)
    }

    @Test(arguments: [.max, .max - 1024, 1, 1 << 32, 0xffff_ffff] as [UInt64])
    func `an identifier that was never issued finds nothing`(identifier: UInt64) throws {
        var table = ConnectionTable()
        #expect(table[identifier] == nil)
        _ = try insert(into: &table)
        #expect(table[identifier] == nil)
    }

    @Test func `a removed connection closes its descriptor once it is released`() throws {
        var table = ConnectionTable()
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        let machine = ConnectionMachine(timeouts: ConnectionTimeouts(), at: 0)
        let identifier = table.insert(
            Descriptor(takingOwnershipOf: ends[0]), ConnectionPeer(), machine
        ).identifier
        table.remove(identifier)
        var byte: UInt8 = 0
        #expect(read(ends[1], &byte, 1) == 0)
    }
}
