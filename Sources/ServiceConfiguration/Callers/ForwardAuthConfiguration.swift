import HTTPClient

extension Configuration {
    /// The company's back end, which decides what rules leave to it.
    package struct ForwardAuth: Sendable, Equatable {
        /// Where it is asked; nil if there is none.
        package var url: OutgoingURL?
        /// Names of fields that it is shown besides `Authorization`.
        package var fields: [String] = []
        /// How long a question may take, waiting for a connection included.
        package var timeout = Duration.seconds(1)
        /// How many questions are under way at once.
        package var maxConnections = 32
        /// How many more requests may wait for a decision.
        package var maxWaiting = 1024
        /// For how long a decision counts; zero if none is kept.
        package var cacheTime = Duration.seconds(10)
        /// The bytes that kept decisions may take.
        package var cacheBytes = 16 << 20

        /// The defaults.
        package init() {}
    }
}
