/// Who is at the other end of a connection, and what the limits say to it.
struct ConnectionPeer {
    /// Its own address, or the one that a proxy announced; nil on a unix socket.
    var address: IPAddress?
    /// The address whose connections it is counted among; nil if it only counts in all.
    var countedAddress: IPAddress?
    /// Whether it was one too many: it is told so, unless what it asks for is exempt.
    var isOverLimit = false
}
