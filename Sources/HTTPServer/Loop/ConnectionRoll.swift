/// An open connection, and where its loop can be told that its place is wanted.
struct ConnectionPlace: Sendable, Equatable {
    let connection: UInt64
    let mailbox: Mailbox

    static func == (one: ConnectionPlace, other: ConnectionPlace) -> Bool {
        one.connection == other.connection && one.mailbox === other.mailbox
    }
}

/// Who is open under one limit, and who beyond it.
struct ConnectionRoll {
    private var admitted = 0
    /// Those beyond the limit, the oldest first. Those at the front are evicted, and only wait to be closed.
    private var reserve: [ConnectionPlace] = []
    private var evicted = 0

    var count: Int { admitted + reserve.count }
    var isEmpty: Bool { count == 0 }

    /// Takes in a connection: whether it is within the limit, and who makes room for it in the reserve if it is not.
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

    /// Lets go of a connection that was taken in.
    mutating func close(_ place: ConnectionPlace) {
        guard let index = reserve.firstIndex(of: place) else {
            admitted -= 1
            return
        }
        reserve.remove(at: index)
        if index < evicted { evicted -= 1 }
    }
}
