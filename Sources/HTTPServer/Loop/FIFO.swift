/// A queue: first in, first out, both in constant time.
struct FIFO<Element> {
    private var elements: [Element] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        defer { compact() }
        head += 1
        return elements[head - 1]
    }

    /// Gives the popped half back once it is the larger one, so that each element moves at most once or twice.
    private mutating func compact() {
        guard head >= 64, head * 2 >= elements.count else { return }
        elements.removeFirst(head)
        head = 0
    }
}
