/// Work that costs less when it is done for several requests at once.
///
/// Nothing waits for a batch to fill. When the turn of such work comes, what waits behind it in the line is taken with it;
/// that work's own turn then finds nothing to do. If too few wait, the first is done alone.
extension EventLoop {
    /// Does the work of a stream whose turn has come, together with that of others if it is worth it.
    func work(with batch: any BatchableWork, for connection: Connection, _ stream: UInt32) {
        let others = takeOthers(than: batch)
        guard batch.batchSizes.contains(others.count + 1) else {
            return connection.finishWork(for: stream, on: self)
        }
        batch.perform(with: others.map(\.batch), at: time)
        connection.finishWork(for: stream, on: self)
        for other in others { table[other.connection]?.finishWork(for: other.stream, on: self) }
    }

    /// What can be done with it, longest waiting first. If that is too little, each piece waits for its own turn.
    private func takeOthers(
        than first: any BatchableWork
    ) -> [(batch: any BatchableWork, connection: UInt64, stream: UInt32)] {
        var others: [(batch: any BatchableWork, connection: UInt64, stream: UInt32)] = []
        while others.count + 1 < first.batchSizes.upperBound, let (identifier, stream) = pending.nextBatchable() {
            // Its connection may have ended, or its work was done.
            guard let batch = table[identifier]?.pending.batch(of: stream), batch !== first else { continue }
            others.append((batch, identifier, stream))
        }
        return others
    }
}
