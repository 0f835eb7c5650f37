/// Work that costs less when it is done for several requests at once.
///
/// Nothing waits for a batch to fill. When the turn of such work comes, what waits behind it in the line is taken with it;
/// that work's own turn then finds nothing to do. If too few wait, the first is done alone.
extension EventLoop {
    /// Puts the work for a connection's stream at the end of its address's line.
    func queueWork(for connection: Connection, _ stream: UInt32, sequence: UInt32 = 0, isBatchable: Bool = false) {
        if isBatchable {
            pending.addBatchable(connection.identifier, stream, sequence: sequence, of: connection.account)
        } else {
            pending.addWork(connection.identifier, stream, sequence: sequence, of: connection.account)
        }
    }

    /// Does the work of a stream whose turn has come, together with that of others if it is worth it.
    func work(with batch: any BatchableWork, for connection: Connection, _ stream: UInt32, sequence: UInt32) {
        let others = takeOthers(than: batch)
        guard batch.batchSizes.contains(others.count + 1) else {
            return connection.finishWork(for: stream, sequence: sequence, on: self)
        }
        batch.perform(with: others.map(\.batch), at: time)
        connection.finishWork(for: stream, sequence: sequence, on: self)
        for (_, other) in others {
            table[other.connection]?.finishWork(for: other.stream, sequence: other.sequence, on: self)
        }
    }

    /// What can be done with it, longest waiting first. If that is too little, each piece waits for its own turn.
    private func takeOthers(
        than first: any BatchableWork
    ) -> [(batch: any BatchableWork, work: PendingWork.Work)] {
        var others: [(batch: any BatchableWork, work: PendingWork.Work)] = []
        while others.count + 1 < first.batchSizes.upperBound, let next = pending.nextBatchable() {
            // Its connection may have ended, or its work was done.
            let batch = table[next.connection]?.pending.batch(of: next.stream, sequence: next.sequence)
            guard let batch, batch !== first else { continue }
            others.append((batch, next))
        }
        return others
    }
}
