import CNGHTTP2

/// The memory of the library's sessions on one loop, which uses it alone. The library asks for five blocks for each
/// request, and requests come by the dozen: freed blocks are kept for the next one, which spares the allocator's
/// search.
///
/// Each block has a header in front, so that the library's data is aligned as `malloc` aligns it.
final class LibraryMemory {
    private struct Header {
        /// Bytes after it.
        var capacity: Int
        /// The one that was freed before it, while it is free itself.
        var next: UnsafeMutablePointer<Header>?
    }

    /// Free blocks of one size.
    private struct Shelf {
        var first: UnsafeMutablePointer<Header>?
        var count = 0
    }

    /// Sizes are multiples of so many bytes.
    private static let step = 64
    /// Bigger blocks, of which a request needs none, are not kept.
    private static let mostBytes = 512
    /// Free blocks of each size.
    private static let mostFree = 256
    /// Blocks of so many bytes have pages of their own: a session has one of 16 kB for frames of any size, and what it
    /// never writes to takes no memory.
    private static let mappedBytes = 16_384

    private let shelves: UnsafeMutablePointer<Shelf>

    init() {
        shelves = .allocate(capacity: Self.mostBytes / Self.step + 1)
        shelves.initialize(repeating: Shelf(), count: Self.mostBytes / Self.step + 1)
    }

    deinit {
        for index in 0...Self.mostBytes / Self.step {
            while let block = Self.pop(&shelves[index]) { free(block) }
        }
        shelves.deallocate()
    }

    /// The functions for the library; it must not outlive this.
    var functions: nghttp2_mem {
        nghttp2_mem(
            mem_user_data: shelves,
            malloc: { LibraryMemory.allocate($0, $1) }, free: { LibraryMemory.release($0, $1) },
            calloc: { count, size, shelves in
                let (bytes, overflows) = count.multipliedReportingOverflow(by: size)
                guard !overflows, let block = LibraryMemory.allocate(bytes, shelves) else { return nil }
                return memset(block, 0, bytes)
            },
            realloc: { block, size, shelves in
                guard let block else { return LibraryMemory.allocate(size, shelves) }
                let capacity = LibraryMemory.header(of: block).pointee.capacity
                guard size > capacity else { return block }
                guard let bigger = LibraryMemory.allocate(size, shelves) else { return nil }
                memcpy(bigger, block, capacity)
                LibraryMemory.release(block, shelves)
                return bigger
            })
    }

    @inline(__always)
    private static func allocate(_ size: Int, _ shelves: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        let capacity = (size + step - 1) & ~(step - 1)
        if capacity <= mostBytes, let shelves, let block = pop(&self.shelves(shelves)[capacity / step]) {
            return UnsafeMutableRawPointer(block + 1)
        }
        guard let block = newBlock(MemoryLayout<Header>.size + capacity) else { return nil }
        let header = block.bindMemory(to: Header.self, capacity: 1)
        header.initialize(to: Header(capacity: capacity, next: nil))
        return UnsafeMutableRawPointer(header + 1)
    }

    private static func newBlock(_ size: Int) -> UnsafeMutableRawPointer? {
        size < mappedBytes + MemoryLayout<Header>.size ? malloc(size) : cnghttp2_map(size)
    }

    private static func unmap(_ header: UnsafeMutablePointer<Header>) {
        munmap(header, MemoryLayout<Header>.size + header.pointee.capacity)
    }

    @inline(__always)
    private static func release(_ block: UnsafeMutableRawPointer?, _ shelves: UnsafeMutableRawPointer?) {
        guard let block, let shelves else { return }
        let header = header(of: block)
        let capacity = header.pointee.capacity
        guard capacity < mappedBytes else { return unmap(header) }
        guard capacity <= mostBytes else { return free(header) }
        let shelf = self.shelves(shelves) + capacity / step
        guard shelf.pointee.count < mostFree else { return free(header) }
        header.pointee.next = shelf.pointee.first
        shelf.pointee.first = header
        shelf.pointee.count += 1
    }

    @inline(__always)
    private static func pop(_ shelf: inout Shelf) -> UnsafeMutablePointer<Header>? {
        guard let block = shelf.first else { return nil }
        shelf.first = block.pointee.next
        shelf.count -= 1
        return block
    }

    private static func shelves(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Shelf> {
        pointer.assumingMemoryBound(to: Shelf.self)
    }

    private static func header(of block: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Header> {
        (block - MemoryLayout<Header>.size).assumingMemoryBound(to: Header.self)
    }
}
