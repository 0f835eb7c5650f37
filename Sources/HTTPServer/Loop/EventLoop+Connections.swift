/// What a loop does for its connections.
extension EventLoop {
    /// A number that does not reveal how many requests there were before: a counter, mixed as in SplitMix64.
    func nextRequestID() -> UInt64 {
        requestCount &+= 0x9e37_79b9_7f4a_7c15
        var mixed = requestCount
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Puts the work for a connection's stream at the end of the line.
    func queueWork(for connection: Connection, _ stream: UInt32) { pending.addWork(connection.identifier, stream) }

    /// Lets a connection read on in the next turn, although its socket may have nothing.
    func queueReading(by connection: Connection) { pending.addReading(connection.identifier) }

    /// Sends a connection's answers together with those of others.
    func queueAnswers(of connection: Connection) { pending.addReady(connection.identifier, at: time.monotonic) }

    /// A promise that the request of a stream will be answered, by any thread.
    func promise(by connection: Connection, to stream: UInt32) -> LateAnswer {
        LateAnswer(connection: connection.identifier, stream: stream, mailbox: mailbox)
    }

    /// The answer where a promise was released without one.
    func answerAbandoned(_ change: LateAnswer.Change?) -> @Sendable (ServerTime) -> HTTPAnswer {
        { [application] _ in
            let refusal = HTTPAnswer.now(application.refuse(.abandoned))
            return change?(refusal) ?? refusal
        }
    }

    func watch(_ connection: Connection, _ interest: Interest) {
        do {
            try poller.change(
                connection.descriptor.number, to: interest, as: connection.identifier, by: connection.trigger)
        } catch {
            close(connection)
        }
    }

    /// Makes sure that the connection is looked at once its deadline has passed. A deadline that has moved later is
    /// found when the old slot comes round.
    func schedule(_ connection: Connection) {
        guard connection.machine.deadline != .max else { return }
        guard DeadlineWheel.tick(after: connection.machine.deadline) < connection.scheduledTick else { return }
        connection.scheduledTick = wheel.insert(connection.identifier, deadline: connection.machine.deadline)
    }

    func close(_ connection: Connection) {
        guard table[connection.identifier] === connection else { return }
        connection.end()
        // The next connection must not send this one's output.
        output.removeAll()
        table.remove(connection.identifier)
        limiter.closed(place(of: connection), from: connection.peer.countedAddress)
    }

    /// A connection as the limiter knows it.
    func place(of connection: Connection) -> ConnectionPlace {
        ConnectionPlace(connection: connection.identifier, mailbox: mailbox)
    }

    /// Looks at the connections whose slot has come round.
    func passDeadlines() {
        for entry in wheel.advance(to: time.monotonic) {
            guard let connection = table[entry.identifier], connection.scheduledTick == entry.tick else { continue }
            connection.scheduledTick = .max
            connection.deadlinePassed(on: self)
            schedule(connection)
        }
    }
}
