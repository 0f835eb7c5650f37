import Concurrency

/// The memory of cached tokens' texts, in blocks of one size.
///
/// A freed block can take a part of any later text. The places that an allocator frees do not: once ids became
/// longer, no new text fitted into an older one's place, and a full cache took up to twice its limit.
final class TokenTexts: Sendable {
    private let blocks: Guarded<TokenTextBlocks>

    /// 128 KiB, which the C library takes from the system and not from the heap, at least at first.
    static let slabBlocks = 512

    /// Memory that grows by so many blocks at once, and is freed with the last token that refers to it.
    init(growingBy count: Int = slabBlocks) { blocks = Guarded(TokenTextBlocks(growingBy: count)) }

    deinit { blocks.withLock { $0.deallocate() } }

    /// Bytes of the blocks with texts, also of those that were removed from the cache while an answer still refers to them.
    var used: Int { blocks.withLock { $0.used } }

    /// Bytes of all blocks. Free ones stay, for later texts.
    var memory: Int { blocks.withLock { $0.memory } }

    /// Stores a text, which has at least one byte.
    func store(_ bytes: [UInt8]) -> TokenText { blocks.withLock { $0.store(bytes) } }

    /// Frees a text's blocks. The caller has the last reference to the text.
    func free(_ text: TokenText) { blocks.withLock { $0.free(text) } }
}

/// A text in blocks.
///
/// `@unchecked Sendable`: `TokenTexts` fills the blocks before it returns the text, and changes them only after it is freed.
struct TokenText: @unchecked Sendable {
    /// Bytes of a block: a part of the text, and the address of the block with the next part.
    static let blockBytes = 256
    fileprivate static let partBytes = blockBytes - MemoryLayout<UnsafeMutableRawPointer?>.size

    fileprivate let first: UnsafeMutableRawPointer

    /// Bytes of the blocks that a text of so many bytes takes.
    static func memory(of count: Int) -> Int { (count + partBytes - 1) / partBytes * blockBytes }

    /// Copies a range of the text to memory of at least that size.
    func copy(_ range: Range<Int>, to target: UnsafeMutableRawPointer) {
        var target = target
        forEachPart(range) { part in
            UnsafeMutableRawBufferPointer(start: target, count: part.count).copyMemory(from: part)
            target += part.count
        }
    }

    /// Calls the closure with each part of a range of the text.
    @inline(__always)
    private func forEachPart(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void) {
        var block = Optional(first)
        var start = 0
        while let memory = block, start < range.upperBound {
            let from = max(range.lowerBound - start, 0)
            let to = min(range.upperBound - start, Self.partBytes)
            if from < to { body(UnsafeRawBufferPointer(start: memory + from, count: to - from)) }
            start += Self.partBytes
            block = Self.next(after: memory)
        }
    }

    /// Calls the closure with the first bytes of the text, which are copied only if they are not all in one block.
    @inline(__always)
    func withBeginning<Result>(_ count: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard count > Self.partBytes else { return body(UnsafeRawBufferPointer(start: first, count: count)) }
        return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { beginning in
            if let target = beginning.baseAddress { copy(0..<count, to: target) }
            return body(UnsafeRawBufferPointer(beginning))
        }
    }

    fileprivate static func next(after block: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        block.load(fromByteOffset: partBytes, as: UnsafeMutableRawPointer?.self)
    }

    fileprivate static func link(_ block: UnsafeMutableRawPointer, to next: UnsafeMutableRawPointer?) {
        block.storeBytes(of: next, toByteOffset: partBytes, as: UnsafeMutableRawPointer?.self)
    }
}

/// All blocks of some texts, and those that are free.
///
/// `@unchecked Sendable`: only `TokenTexts` has it, and uses it under a lock.
private struct TokenTextBlocks: @unchecked Sendable {
    private let growth: Int
    private var slabs: [UnsafeMutableRawPointer] = []
    private var free: UnsafeMutableRawPointer?
    /// Blocks of the last slab that were not used yet: their pages take no memory.
    private var unused = 0
    private(set) var used = 0

    init(growingBy count: Int) { growth = count }

    var memory: Int { slabs.count * growth * TokenText.blockBytes }

    mutating func store(_ bytes: [UInt8]) -> TokenText {
        let first = take()
        var block = first
        for start in stride(from: 0, to: bytes.count, by: TokenText.partBytes) {
            if start > 0 {
                let next = take()
                TokenText.link(block, to: next)
                block = next
            }
            let part = bytes[start..<min(start + TokenText.partBytes, bytes.count)]
            UnsafeMutableRawBufferPointer(start: block, count: part.count).copyBytes(from: part)
        }
        TokenText.link(block, to: nil)
        return TokenText(first: first)
    }

    mutating func free(_ text: TokenText) {
        var last = text.first
        var count = 1
        while let next = TokenText.next(after: last) {
            last = next
            count += 1
        }
        used -= count * TokenText.blockBytes
        TokenText.link(last, to: free)
        free = text.first
    }

    /// Ends the memory of all texts.
    func deallocate() {
        for slab in slabs { slab.deallocate() }
    }

    private mutating func take() -> UnsafeMutableRawPointer {
        used += TokenText.blockBytes
        if let block = free {
            free = TokenText.next(after: block)
            return block
        }
        if unused == 0 { grow() }
        unused -= 1
        return slabs[slabs.count - 1] + unused * TokenText.blockBytes
    }

    private mutating func grow() {
        slabs.append(.allocate(byteCount: growth * TokenText.blockBytes, alignment: 16))
        unused = growth
    }
}
