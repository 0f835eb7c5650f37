/// What a connection holds, in bytes, where it is not counted but estimated: measured on Debian 12 as resident and
/// kernel memory of a thousand connections in one state, and rounded up.
///
/// Its parts are asked for in steps of a page, so that small changes cost nothing.
package enum MemoryFootprint {
    /// A plain connection between two requests: 0.4 kB of ours, and 5 kB of the kernel's for the socket, its file and
    /// its place in the poller.
    package static let connection = 6144
    /// What a connection holds at most while a transport's handshake goes on, about.
    static let handshake = 65_536
    /// One that is about to be answered: the request, and what its answer waits for.
    static let pending = 1024
    /// What changes are rounded to.
    static let step = 4096

    /// As it is charged: a plain connection as it is, and any other in whole steps.
    static func charge(_ bytes: Int) -> Int {
        bytes <= connection ? connection : (bytes + step - 1) / step * step
    }
}
