import CNGHTTP2
import HTTPServer

/// HTTP/2 (RFC 9113) for a server: by ALPN within TLS, and on plain connections for peers that know of it beforehand.
package struct HTTP2: Sendable {
    private let limits: HTTP2Limits

    /// HTTP/2 within these limits; throws if the library of this machine is too old for the Internet.
    package init(_ limits: HTTP2Limits = HTTP2Limits()) throws(HTTP2Error) {
        guard nghttp2_has_fixes() != 0 else { throw HTTP2Error.unfixed(release: Self.release) }
        self.limits = limits
    }

    /// What a server is given to serve it (`ServerSettings.streams`).
    package var streams: StreamProtocol {
        StreamProtocol(preface: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") { [limits] in HTTP2Sessions(limits, $0) }
    }

    private static var release: String {
        nghttp2_version(0).flatMap { $0.pointee.version_str }.map { String(cString: $0) } ?? "of an unknown release"
    }
}

/// Why HTTP/2 cannot be served.
package enum HTTP2Error: Error, Equatable, CustomStringConvertible {
    /// The library lacks the fixes that keep a few clients from blocking a server.
    case unfixed(release: String)

    package var description: String {
        switch self {
        case .unfixed(let release):
            "libnghttp2 \(release) lacks the fixes of CVE-2023-44487 and CVE-2024-28182; expected 1.61.0 or later, or an "
                + "earlier release with both fixes, as Debian 12 has it"
        }
    }
}

/// What one connection of HTTP/2 may ask of its server beyond what a request may.
package struct HTTP2Limits: Equatable, Sendable {
    /// Requests at a time on a connection (SETTINGS_MAX_CONCURRENT_STREAMS).
    package var maxConcurrentStreams: Int
    /// Requests of a connection that end without an answer, in a second: reset by the client, or by the server for what
    /// the client did. Twice as many may come at once.
    package var maxResetsPerSecond: Int
    /// Frames in a second that ask for nothing, such as PING, SETTINGS, WINDOW_UPDATE and empty DATA; ten times as many
    /// may come at once, and each request allows for four more.
    package var maxIdleFramesPerSecond: Int

    /// Limits as counts; the defaults are those of the configuration.
    package init(maxConcurrentStreams: Int = 100, maxResetsPerSecond: Int = 100, maxIdleFramesPerSecond: Int = 100) {
        (self.maxConcurrentStreams, self.maxResetsPerSecond) = (maxConcurrentStreams, maxResetsPerSecond)
        self.maxIdleFramesPerSecond = maxIdleFramesPerSecond
    }
}
