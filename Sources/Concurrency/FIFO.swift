/// A queue: first in, first out, both in constant time on average. An element is released when it leaves.
///
/// Our own instead of swift-collections' `Deque`: that adds 167 kB to the program, and neither user needs more than this.
public struct FIFO<Element> {
    /// Places before `head` are empty; they are given back once they are half of all.
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0

    @inlinable
    public init() {}

    @inlinable
    public var isEmpty: Bool { head == elements.count }

    @inlinable
    public var count: Int { elements.count - head }

    @inlinable
    public var first: Element? { head < elements.count ? elements[head] : nil }

    @inlinable
    public mutating func append(_ element: Element) { elements.append(element) }

    /// Removes and returns the oldest element; nil if there is none.
    @inlinable
    @discardableResult
    public mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        defer { compact() }
        let first = elements[head].take()
        head += 1
        return first
    }

    /// Calls with each element, the oldest first.
    @inlinable
    public func forEach(_ body: (Element) -> Void) {
        for element in elements[head...] { element.map(body) }
    }

    @inlinable
    public mutating func removeAll(where isStale: (Element) -> Bool) {
        elements = elements[head...].filter { element in element.map { !isStale($0) } ?? false }
        head = 0
    }

    /// Each element moves at most once or twice in its life.
    @inlinable
    mutating func compact() {
        guard head >= 32, head * 2 >= elements.count else { return }
        elements.removeFirst(head)
        head = 0
    }
}

extension FIFO: Sendable where Element: Sendable {}
