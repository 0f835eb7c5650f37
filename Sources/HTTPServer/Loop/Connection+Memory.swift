/// What a connection holds, and what of it can be given up.
extension Connection {
    /// Bytes that it makes the server hold now: in the process, and in the kernel's queues.
    var footprint: Int {
        var bytes = MemoryFootprint.connection + input.capacity + output.capacity + pending.headBytes
        if case .answering = machine.state { bytes += MemoryFootprint.pending }
        // Whatever the peer sends meanwhile stays in the kernel. Of a handshake that waits for its turn, which may be in
        // line with thousands, only what sweeps find there counts.
        if !machine.reads, !machine.handshakes { bytes += KernelQueue.receiveBytes }
        bytes += machine.flushes ? KernelQueue.sendBytes : swept.queued
        return bytes + (layers?.memory ?? 0)
    }

    /// Looks at what lies in the kernel's queues, and gives up what an idle connection does not need; whether there may
    /// be more to find. `isSampled`: so much may lie there, of all connections, that it matters.
    func sweep(isSampled: Bool) -> Bool {
        let isActive = machine.deadline != swept.deadline
        let looks = isSampled && (isActive || swept.queued > 0 || machine.handshakes)
        swept = (looks ? KernelQueue.bytes(of: descriptor) : 0, machine.deadline)
        if !isActive { layers?.trim() }
        return isActive || swept.queued > 0
    }

    // MARK: Under pressure

    /// Whether its address holds more than this share, and without it still more than any address may.
    func isOver(_ share: Int?) -> Bool { account?.isOver(share, own: charged) ?? false }

    /// The step that closes it if memory runs short; nil while it waits for an answer of ours, and for nothing else.
    var sheddingStep: MemoryPressure.Step? {
        guard machine.hasStreams else { return machine.sheddingStep }
        return layers?.session?.stalledSince == nil ? nil : .stalled
    }

    /// Since when its client does nothing, on the monotonic clock.
    var stalledSince: UInt64 {
        guard machine.hasStreams else { return machine.since }
        return layers?.session?.stalledSince ?? machine.since
    }

    /// Gives up what the step says; false if its client has moved on by now. What it has sent meanwhile is answered
    /// first, unless its address `isOverShare`: at once while `reads` are left, or else when it is its address's turn.
    func shed(_ step: MemoryPressure.Step, isOverShare: Bool, reads: inout Int, on loop: EventLoop) -> Bool {
        // A connection that waits for us is found with the last step, whatever it waits for by now.
        guard loop.table[identifier] === self, sheddingStep == step || (isOverShare && step == .connections) else {
            return false
        }
        // A handshake would only be put off.
        if step < .stalled, !isOverShare, machine.reads, !machine.handshakes, descriptor.receivable > 0 {
            guard reads > 0 else {
                loop.queueReading(by: self)
                return false
            }
            reads -= 1
            readable(on: loop)
            guard loop.table[identifier] === self, sheddingStep == step else { return false }
        }
        switch step {
        case .sessions:
            handle(on: loop) { () throws(SystemError) in try settle(serve(.timedOut, on: loop), on: loop) }
        case .stalled where !isOverShare && machine.streams && layers?.session?.awaitsAnswers == true:
            // The others of a proxy's streams go on.
            let patience = loop.shedder.step == .connections ? 0 : machine.timeouts.grace
            guard stalledSince + patience <= loop.time.monotonic else { return false }
            handle(on: loop) { () throws(SystemError) in
                try settle(serve(.pressed(patience), on: loop), on: loop)
            }
        default: loop.drop(self)
        }
        return true
    }
}
