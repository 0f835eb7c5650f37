extension Configuration {
    /// The HTTP server's limits; sizes are in bytes.
    struct HTTP: Sendable, Equatable {
        /// The number of event loops; 0 stands for one per core.
        var loops = 0
        /// The permissions of unix sockets; nil for those of the umask.
        var unixSocketMode: UInt32?
        /// Whether another daemon of the same user may listen at the same addresses.
        var sharesPorts = false
        /// How many connections may be open at once.
        var maxConnections = 16384
        /// How many connections one client address may have open at once.
        var maxConnectionsPerAddress = 2048
        /// How long the head of a request may take to arrive.
        var headTimeout = Duration.seconds(10)
        /// How long a connection may wait for its next request.
        var idleTimeout = Duration.seconds(75)
        /// How long an answer may wait to be taken.
        var writeTimeout = Duration.seconds(30)
        /// How long a stop waits for what was accepted.
        var drainTimeout = Duration.seconds(10)
        /// The longest line of a request's head.
        var maxLine = 16 << 10
        /// The longest head of a request.
        var maxHead = 32 << 10
        /// The most fields of a request's head.
        var maxFields = 100
        /// The longest body that is read and dropped.
        var maxDiscardedBody = 16 << 10
    }
}
