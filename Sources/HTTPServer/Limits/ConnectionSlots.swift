/// An open connection, and the mailbox of its loop.
struct ConnectionPlace: Sendable, Equatable {
    let connection: UInt64
    let mailbox: Mailbox

    static func == (one: ConnectionPlace, other: ConnectionPlace) -> Bool {
        one.connection == other.connection && one.mailbox === other.mailbox
    }
}

/// The open connections under one limit, and those beyond it.
struct ConnectionSlots {
    private var admitted = 0
    /// Those beyond the limit, the oldest first. Those at the front are evicted, and only wait to be closed.
    private var reserve: [ConnectionPlace] = []
    private var evicted = 0

    var count: Int { admitted + reserve.count }
    var isEmpty: Bool { count == 0 }

    /// Adds a connection: whether it is within the limit, and which one is evicted from the reserve for it if it is
    /// not.
    mutating func open(
        _ place: ConnectionPlace, most: Int, reserve size: Int
    ) -> (isAdmitted: Bool, evicted: ConnectionPlace?) {
        guard admitted >= most else {
            admitted += 1
            return (true, nil)
        }
        reserve.append(place)
        guard reserve.count - evicted > size else { return (false, nil) }
        evicted += 1
        return (false, reserve[evicted - 1])
    }

    /// Removes a connection.
    mutating func close(_ place: ConnectionPlace) {
        guard let index = reserve.firstIndex(of: place) else {
            admitted -= 1
            return
        }
        reserve.remove(at: index)
        if index < evicted { evicted -= 1 }
    }
}
