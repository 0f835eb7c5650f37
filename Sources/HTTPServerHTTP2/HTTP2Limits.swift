/// What one connection of HTTP/2 may ask of its server beyond what a request may.
package struct HTTP2Limits: Sendable {
    /// Requests at a time on a connection (SETTINGS_MAX_CONCURRENT_STREAMS).
    package var maxConcurrentStreams: Int
    /// Requests of a connection that end without an answer, in a second: reset by the client, or by the server for what the
    /// client did. Twice as many may come at once.
    package var maxResetsPerSecond: Int
    /// Frames in a second that ask for nothing, such as PING, SETTINGS, WINDOW_UPDATE and empty DATA; ten times as many may
    /// come at once, and each request allows for four more.
    package var maxIdleFramesPerSecond: Int

    /// Limits as counts; the defaults are those of the configuration.
    package init(maxConcurrentStreams: Int = 100, maxResetsPerSecond: Int = 100, maxIdleFramesPerSecond: Int = 100) {
        self.maxConcurrentStreams = maxConcurrentStreams
        self.maxResetsPerSecond = maxResetsPerSecond
        self.maxIdleFramesPerSecond = maxIdleFramesPerSecond
    }
}
