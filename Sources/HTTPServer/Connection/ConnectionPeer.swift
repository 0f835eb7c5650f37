/// Who is at the other end of a connection.
struct ConnectionPeer {
    /// Its own address, or the one that a proxy announced; nil on a unix socket.
    var address: IPAddress?
    /// The address whose connections it is counted among; nil if it only counts in all.
    var countedAddress: IPAddress?
}
