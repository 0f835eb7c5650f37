/// The order of insertions: a queue of records, first in, first out.
struct InsertionOrder: Sendable {
    /// A key and the number of its insertion. A later insertion under the same key has another number.
    struct Record: Sendable {
        let key: TokenKey
        let sequence: UInt64
    }

    /// Elements before `head` are empty. They are removed once they are half of all.
    private var records: [Record?] = []
    private var head = 0

    /// The number of records, including those whose entry was replaced.
    var count: Int { records.count - head }

    var first: Record? {
        head < records.count ? records[head] : nil
    }

    mutating func append(_ record: Record) {
        records.append(record)
    }

    mutating func removeFirst() {
        guard head < records.count else { return }
        records[head] = nil
        head += 1
        guard head >= 32, head * 2 >= records.count else { return }
        records.removeFirst(head)
        head = 0
    }

    mutating func removeAll(where isStale: (Record) -> Bool) {
        records = records[head...].filter { record in record.map { !isStale($0) } ?? false }
        head = 0
    }
}
