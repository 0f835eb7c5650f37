import HTTPServer

extension SettingsTable {
    static let httpConnections: [any ConfigurationSetting] = [
        Setting(
            "http.loops", \.http.loops, .one(.whole(0...ServerSettings.maxLoops)),
            "Event loops. 0: one per core."
        ).atStart,
        Setting(
            "http.unix_socket_mode", \.http.unixSocketMode, .optional(.permissions, example: "0660"),
            "The permissions of unix sockets, which decide who may connect. Without it: as the umask says."
        ).atStart,
        Setting(
            "http.share_ports", \.http.sharesPorts, .one(.boolean),
            "Whether another daemon of the same user may listen at the same addresses (SO_REUSEPORT), for upgrades "
                + "without a pause. If not, the second daemon fails to start."
        ).atStart,
        Setting(
            "http.max_connections", \.http.maxConnections, .one(.whole(1...1_000_000)),
            "Open connections; each uses a file descriptor."),
        Setting(
            "http.max_connections_per_address", \.http.maxConnectionsPerAddress, .one(.whole(1...1_000_000)),
            "Open connections of one peer address, which may be a proxy's."),
        Setting(
            "http.header_timeout", \.http.headerTimeout, .one(.milliseconds(10...3_600_000)),
            "How long the headers of a request may take to arrive."),
        Setting(
            "http.idle_timeout", \.http.idleTimeout, .one(.milliseconds(10...3_600_000)),
            "How long an open connection may wait for its next request. Set it longer than your load balancer's own "
                + "timeout (often 60s)."),
        Setting(
            "http.write_timeout", \.http.writeTimeout, .one(.milliseconds(10...3_600_000)),
            "How long a client may take to read an answer."),
        Setting(
            "http.drain_timeout", \.http.drainTimeout, .one(.milliseconds(0...3_600_000)),
            "How long a stop waits for the answers to accepted requests. A request that is not complete 2.5s after "
                + "the stop began gets 408."),
    ]

    static let httpRequests: [any ConfigurationSetting] = [
        Setting(
            "http.max_line", \.http.limits.maxLine, .one(.size(256...1 << 20)),
            "The longest header line or request line."
        ).atStart,
        Setting(
            "http.max_header_size", \.http.limits.maxHead, .one(.size(256...1 << 20)),
            "All headers of a request, and its request line."
        ).atStart,
        Setting(
            "http.max_headers", \.http.limits.maxFields, .one(.whole(1...1000)),
            "The number of headers of a request."
        ).atStart,
        Setting(
            "http.max_discarded_body", \.http.limits.maxDiscardedBody, .one(.size(0...16 << 20)),
            "The longest request body, which is dropped. A longer one closes the connection."
        ).atStart,
    ]

    static let http2: [any ConfigurationSetting] = [
        Setting(
            "http2.enabled", \.http2.isEnabled, .one(.boolean),
            "Whether https offers HTTP/2. Clients can always choose HTTP/1.1."
        ).atStart,
        Setting(
            "http2.prior_knowledge", \.http2.priorKnowledge, .one(.boolean),
            "Whether clients of plain HTTP may begin with HTTP/2 (h2c), as proxies and meshes do. A listener in listeners "
                + "can set its own h2c."
        ).atStart,
        Setting(
            "http2.max_concurrent_streams", \.http2.limits.maxConcurrentStreams, .one(.whole(1...10_000)),
            "Requests at once on one connection."
        ).atStart,
        Setting(
            "http2.max_resets_per_second", \.http2.limits.maxResetsPerSecond, .one(.whole(1...100_000)),
            "Cancelled or malformed requests of one connection per second, and twice as many at once. More close the "
                + "connection."
        ).atStart,
        Setting(
            "http2.max_idle_frames_per_second", \.http2.limits.maxIdleFramesPerSecond, .one(.whole(1...100_000)),
            "Frames of one connection per second that request nothing (PING, SETTINGS, WINDOW_UPDATE, empty DATA and "
                + "others), ten times as many at once, and four more with each request. More close the connection."
        ).atStart,
    ]
}
