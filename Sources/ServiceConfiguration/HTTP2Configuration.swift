import HTTPServerHTTP2

extension Configuration {
    /// Whether HTTP/2 is spoken, and what one connection of it may ask for.
    package struct HTTP2: Sendable, Equatable {
        /// Whether clients of https are offered it.
        package var isEnabled = true
        /// Whether clients in clear may begin with it.
        package var priorKnowledge = false
        /// Requests at a time on a connection.
        package var maxConcurrentStreams = 100
        /// Requests of a connection in a second that may end without an answer.
        package var maxResetsPerSecond = 100
        /// Frames of a connection in a second that may ask for nothing.
        package var maxIdleFramesPerSecond = 100

        /// The defaults.
        package init() {}
    }
}

extension SettingsTable {
    /// The settings of HTTP/2.
    package static let http2: [any ConfigurationSetting] = [
        Setting(
            "http2.enabled", \.http2.isEnabled, .one(.boolean),
            "Whether clients of https are offered HTTP/2; HTTP/1.1 is spoken to those that do not choose it."
        ).atStart,
        Setting(
            "http2.prior_knowledge", \.http2.priorKnowledge, .one(.boolean),
            "Whether clients of listen, and of those of listeners that serve apps in clear and do not say otherwise (h2c), may "
                + "speak HTTP/2 without asking first, as proxies and meshes do."
        ).atStart,
        Setting(
            "http2.max_concurrent_streams", \.http2.maxConcurrentStreams, .one(.whole(1...10_000)),
            "Requests at a time on one connection."
        ).atStart,
        Setting(
            "http2.max_resets_per_second", \.http2.maxResetsPerSecond, .one(.whole(1...100_000)),
            "Requests of one connection that may be cancelled, or be wrong, in a second, and twice as many at once: after "
                + "more of them the connection is closed."
        ).atStart,
        Setting(
            "http2.max_idle_frames_per_second", \.http2.maxIdleFramesPerSecond, .one(.whole(1...100_000)),
            "Frames of one connection in a second that may ask for nothing (PING, SETTINGS, WINDOW_UPDATE, empty DATA and "
                + "others), ten times as many at once, and four more with each request: after more of them it is closed."
        ).atStart,
    ]
}

extension HTTP2Limits {
    package init(_ configured: Configuration.HTTP2) {
        self.init(
            maxConcurrentStreams: configured.maxConcurrentStreams, maxResetsPerSecond: configured.maxResetsPerSecond,
            maxIdleFramesPerSecond: configured.maxIdleFramesPerSecond)
    }
}
