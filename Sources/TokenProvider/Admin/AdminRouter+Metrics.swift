import HTTPServer
import TokenService

/// `GET /metrics`: all metrics, in the format that the scraper accepts.
extension AdminRouter {
    /// Nanoseconds to wait for the event loops.
    private static let patience: UInt64 = 500_000_000
    private static let vary = [(name: "Vary", value: "Accept")]

    /// Answers once each event loop has turned, or after half a second.
    func answerMetrics(to request: borrowing HTTPRequest) -> HTTPAnswer {
        let format = MetricsFormat(accepting: request.values(of: "accept"))
        return .later { promise in
            metrics.server.measureLag(within: Self.patience) { lags in
                promise.give { time in .now(response(format, at: time, lags: lags)) }
            }
        }
    }

    private func response(_ format: MetricsFormat, at time: ServerTime, lags: [UInt64]) -> HTTPResponse {
        let families = metrics.families(at: time, lags: lags)
        return HTTPResponse(
            status: .ok, fields: .unstored(format.contentType, Self.vary),
            body: MetricsWriter.write(families, as: format, created: metrics.start.epochSeconds),
            annotation: HTTPAnnotation(route: AdminPath.metrics.rawValue))
    }
}
