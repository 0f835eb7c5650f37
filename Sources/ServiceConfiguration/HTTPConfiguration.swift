extension Configuration {
    /// The HTTP server's limits; sizes are in bytes.
    package struct HTTP: Sendable, Equatable {
        /// The number of event loops; 0 stands for one per core.
        package var loops = 0
        /// The permissions of unix sockets; nil for those of the umask.
        package var unixSocketMode: UInt32?
        /// Whether another daemon of the same user may listen at the same addresses.
        package var sharesPorts = false
        /// How many connections may be open at once.
        package var maxConnections = 16384
        /// How many connections one client address may have open at once.
        package var maxConnectionsPerAddress = 2048
        /// How long the head of a request may take to arrive.
        package var headTimeout = Duration.seconds(10)
        /// How long a connection may wait for its next request.
        package var idleTimeout = Duration.seconds(75)
        /// How long an answer may wait to be taken.
        package var writeTimeout = Duration.seconds(30)
        /// How long a stop waits for what was accepted.
        package var drainTimeout = Duration.seconds(10)
        /// The longest line of a request's head.
        package var maxLine = 16 << 10
        /// The longest head of a request.
        package var maxHead = 32 << 10
        /// The most fields of a request's head.
        package var maxFields = 100
        /// The longest body that is read and dropped.
        package var maxDiscardedBody = 16 << 10
    }
}
