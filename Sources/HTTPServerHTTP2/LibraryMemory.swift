import CNGHTTP2

/// The memory of the library's sessions on one loop, which uses it alone. The library asks for five blocks for each
/// request, and requests come by the dozen: freed blocks are kept for the next one, which spares the allocator's
/// search. What each session holds is counted.
///
/// A block's size is what the allocator says, so that no header is needed: an idle session has some forty blocks.
final class LibraryMemory {
    fileprivate typealias Block = UnsafeMutableRawPointer

    /// Free blocks of one size; each begins with the address of the one that was freed before it.
    fileprivate struct Shelf {
        var first: Block?
        var count = 0
    }

    /// With the allocator's own `overhead`, sizes are multiples of so many bytes.
    private static let step = 16
    private static let overhead = 8
    /// Bigger blocks, of which a request needs none, are not kept.
    private static let shelfCount = 512 / step
    /// Free blocks of each size.
    private static let mostFree = 256

    fileprivate let shelves: UnsafeMutablePointer<Shelf>

    init() {
        shelves = .allocate(capacity: Self.shelfCount + 1)
        shelves.initialize(repeating: Shelf(), count: Self.shelfCount + 1)
    }

    deinit {
        for index in 0...Self.shelfCount {
            while let block = Self.pop(&shelves[index]) { free(block) }
        }
        shelves.deallocate()
    }

    @inline(__always)
    fileprivate static func allocate(_ size: Int, _ session: inout SessionMemory.Record) -> Block? {
        // The allocator has no smaller block than two steps.
        let steps = max(2, (size + overhead + step - 1) / step)
        if steps <= shelfCount, let block = pop(&session.shelves[steps]) {
            session.bytes &+= steps * step
            return block
        }
        guard let block = malloc(steps * step - overhead) else { return nil }
        session.bytes &+= self.steps(of: block) * step
        return block
    }

    @inline(__always)
    fileprivate static func release(_ block: Block, _ session: inout SessionMemory.Record) {
        let steps = steps(of: block)
        session.bytes &-= steps * step
        guard steps <= shelfCount else { return free(block) }
        let shelf = session.shelves + steps
        guard shelf.pointee.count < mostFree else { return free(block) }
        block.storeBytes(of: shelf.pointee.first, as: Block?.self)
        shelf.pointee.first = block
        shelf.pointee.count += 1
    }

    fileprivate static func capacity(of block: Block) -> Int { steps(of: block) * step - overhead }

    /// The size of a block with its overhead, which may be more than was asked for.
    private static func steps(of block: Block) -> Int { (malloc_usable_size(block) + overhead) / step }

    @inline(__always)
    private static func pop(_ shelf: inout Shelf) -> Block? {
        guard let block = shelf.first else { return nil }
        shelf.first = block.load(as: Block?.self)
        shelf.count -= 1
        return block
    }
}

/// The memory of one session, as the library is given it: it has to outlive the session, and keeps the loop's memory.
///
/// Two blocks have pages of their own, which take no memory before they are written to, and none again once the session
/// is idle: that of the frame which is sent, and the table of streams.
final class SessionMemory {
    fileprivate struct Record {
        let shelves: UnsafeMutablePointer<LibraryMemory.Shelf>
        var bytes = 0
        var frame = PageBlock()
        var table = PageBlock()
    }

    /// A block from this size on may be that of a frame, and a zeroed one from this size on the table.
    private static let leastFrame = 16_384
    private static let leastTable = 4096

    private let memory: LibraryMemory
    private let record: UnsafeMutablePointer<Record>

    init(from memory: LibraryMemory) {
        self.memory = memory
        record = .allocate(capacity: 1)
        record.initialize(to: Record(shelves: memory.shelves))
    }

    deinit { record.deallocate() }

    /// Bytes that the library holds for the session, without those two blocks.
    var bytes: Int { record.pointee.bytes }

    /// Releases the pages that an idle session does not need: nothing is being sent, and the table is all zeros, which
    /// is what released pages hold again.
    func trim() {
        record.pointee.frame.release()
        if record.pointee.table.isZero { record.pointee.table.release() }
    }

    /// The functions for the library.
    var functions: nghttp2_mem {
        nghttp2_mem(
            mem_user_data: record, malloc: { SessionMemory.allocate($0, $1) },
            free: { SessionMemory.free($0, $1) },
            calloc: { count, size, session in
                let (bytes, overflows) = count.multipliedReportingOverflow(by: size)
                guard !overflows, let record = SessionMemory.record(session) else { return nil }
                if bytes >= SessionMemory.leastTable, let block = record.pointee.table.map(bytes) { return block }
                return SessionMemory.allocate(bytes, session).map { memset($0, 0, bytes) }
            },
            realloc: { block, size, session in
                guard let block else { return SessionMemory.allocate(size, session) }
                let capacity = SessionMemory.capacity(of: block, session)
                guard size > capacity else { return block }
                guard let bigger = SessionMemory.allocate(size, session) else { return nil }
                memcpy(bigger, block, capacity)
                SessionMemory.free(block, session)
                return bigger
            })
    }

    private static func record(_ session: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Record>? {
        session?.assumingMemoryBound(to: Record.self)
    }

    @inline(__always)
    private static func allocate(_ size: Int, _ session: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let record = record(session) else { return nil }
        if size >= leastFrame, let block = record.pointee.frame.map(size) { return block }
        return LibraryMemory.allocate(size, &record.pointee)
    }

    @inline(__always)
    private static func free(_ block: UnsafeMutableRawPointer?, _ session: UnsafeMutableRawPointer?) {
        guard let block, let record = record(session) else { return }
        if block == record.pointee.frame.start { return record.pointee.frame.unmap() }
        if block == record.pointee.table.start { return record.pointee.table.unmap() }
        LibraryMemory.release(block, &record.pointee)
    }

    private static func capacity(of block: UnsafeMutableRawPointer, _ session: UnsafeMutableRawPointer?) -> Int {
        guard let record = record(session)?.pointee else { return 0 }
        for pages in [record.frame, record.table] where pages.start == block { return pages.size }
        return LibraryMemory.capacity(of: block)
    }
}

/// A block that begins with a page of its own.
private struct PageBlock {
    private(set) var start: UnsafeMutableRawPointer?
    private(set) var size = 0

    /// Maps so many zeroed bytes; nil if it is mapped already, or memory has run out.
    mutating func map(_ bytes: Int) -> UnsafeMutableRawPointer? {
        guard start == nil, let pages = cnghttp2_map(bytes) else { return nil }
        (start, size) = (pages, bytes)
        return pages
    }

    mutating func unmap() {
        if let start { munmap(start, size) }
        (start, size) = (nil, 0)
    }

    /// Whether it holds nothing but zeros.
    var isZero: Bool {
        guard let start, size > 1 else { return false }
        return start.load(as: UInt8.self) == 0 && memcmp(start, start + 1, size - 1) == 0
    }

    /// Gives the pages back until they are written to again; they read as zeros.
    func release() {
        if let start { madvise(start, size, Int32(MADV_DONTNEED)) }
    }
}
