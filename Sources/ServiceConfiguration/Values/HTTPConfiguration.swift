import HTTPServer
import HTTPServerHTTP2

extension Configuration {
    /// The HTTP server's limits; sizes are in bytes.
    package struct HTTP: Sendable, Equatable {
        /// The number of event loops; 0 means one per core.
        package var loops = 0
        /// The permissions of unix sockets; nil for those of the umask.
        package var unixSocketMode: UInt32?
        /// Whether another daemon of the same user may listen at the same addresses.
        package var sharesPorts = false
        /// How many connections may be open at once.
        package var maxConnections = 16384
        /// How many connections one client address may have open at once.
        package var maxConnectionsPerAddress = 2048
        /// How long the headers of a request may take to arrive.
        package var headerTimeout = Duration.seconds(10)
        /// How long a connection may wait for its next request.
        package var idleTimeout = Duration.seconds(75)
        /// How long the client may take to read an answer.
        package var writeTimeout = Duration.seconds(30)
        /// How long a stop waits for accepted requests.
        package var drainTimeout = Duration.seconds(8)
        /// How long a request may be.
        package var limits = HTTPLimits()
    }

    /// Whether HTTP/2 is spoken, and the limits of one connection.
    package struct HTTP2: Sendable, Equatable {
        /// Whether clients of https are offered it.
        package var isEnabled = true
        /// Whether clients of plain HTTP may begin with it.
        package var priorKnowledge = false
        /// What a connection may request.
        package var limits = HTTP2Limits()
    }
}
