import HTTPServer
import Logging
import TestSupport
import Testing

@testable import ServiceConfiguration
@testable import TokenProvider

@Suite struct ServerNoticeTests {
    @Test(arguments: [
        (
            ServerNotice.acceptingPaused("no descriptors"),
            "warning accepting connections is paused reason=\"no descriptors\""
        ),
        (
            .connectionsRefused,
            "warning closing new connections: http.max_connections or http.max_connections_per_address is reached"
        ),
        (.memoryPressed("idle\nones"), #"warning clients hold much of limits.memory reason="idle\nones""#),
        (
            .answersAbandoned,
            "warning answered 503 (answer_abandoned): a pending answer was dropped, a bug in this program; "
                + "please report it"
        ),
        (.handshakeFailed("no id=1"), #"info TLS handshake with a client failed reason="no id=1""#),
        (.certificateRefused("no id=1"), #"info TLS handshake with a client failed reason="no id=1""#),
        (.clientRefused("too slow"), #"info closed a client's connection reason="too slow""#),
        (
            .proxyHeaderRefused(nil, isMissing: true),
            "warning closed a connection of a proxy peer=- reason=\"its PROXY protocol header is missing; expected "
                + "version 1 or 2 from peers in proxies.proxy_protocol\""
        ),
    ])
    func `a notice is one line, with others' words as a field`(notice: ServerNotice, expected: String) {
        let log = LogPipe()
        let logger = Logger(label: "test") { _ in DaemonLogHandler(Configuration.Log(), sink: log.sink) }
        logger.log(notice)
        let lines = log.readToEnd().split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines.first?.split(separator: " ", maxSplits: 1).last.map(String.init) == expected)
    }
}
