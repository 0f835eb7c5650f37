import HTTPClient

extension Configuration {
    /// The company's back end, which decides for rules with `forward_auth`.
    package struct ForwardAuth: Sendable, Equatable {
        /// Its URL; nil if there is none.
        package var url: OutgoingURL?
        /// Names of headers that it receives besides `Authorization`.
        package var headers: [String] = []
        /// How long a request may take, including the wait for a connection.
        package var timeout = Duration.seconds(1)
        /// How many requests may be sent at once.
        package var maxConnections = 32
        /// How many more requests may wait for a decision.
        package var maxWaiting = 1024
        /// How long a decision is cached; zero for never.
        package var cacheTime = Duration.seconds(10)
        /// The memory for cached decisions, in bytes.
        package var cacheBytes = 16 << 20

        package init() {}
    }
}
