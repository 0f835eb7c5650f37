import Dispatch

/// What a loop's connections hold, as the budget knows it.
extension EventLoop {
    /// Charges a connection for what it holds now; asked whenever its state grows or shrinks.
    func account(for connection: Connection) {
        let bytes = MemoryFootprint.charge(connection.footprint)
        // It may have been closed meanwhile.
        guard bytes != connection.charged, table[connection.identifier] === connection else { return }
        shared.budget.charge(bytes - connection.charged, to: connection.account)
        connection.charged = bytes
    }

    /// Charges a connection to another account from now on.
    func charge(_ connection: Connection, to account: MemoryAccount?) {
        connection.account?.charge(-connection.charged)
        account?.charge(connection.charged)
        connection.account = account
    }

    /// Releases the charge of a connection that is closed.
    func discharge(_ connection: Connection) {
        shared.budget.charge(-connection.charged, to: connection.account)
        connection.charged = 0
    }

    /// Looks after all connections.
    func sweepConnections() {
        // Where all queues together are small, they are not looked at.
        let mostQueued = table.count * shared.loopCount * (KernelQueue.sendBytes + KernelQueue.receiveBytes)
        let isSampled = shared.budget.used + mostQueued > shared.budget.limit / 2
        var isFinding = false
        table.forEach { connection in
            isFinding = connection.sweep(isSampled: isSampled) || isFinding
            account(for: connection)
        }
        let release = shared.budget.releasesMemory(at: time.monotonic)
        if release.now { Server.releaseFreedMemory(after: .nanoseconds(0)) }
        shedder.sweep.made(at: time.monotonic, goesOn: isFinding || release.later)
    }
}
