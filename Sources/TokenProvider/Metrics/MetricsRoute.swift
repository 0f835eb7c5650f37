import HTTPServer
import TokenService

/// `GET /metrics`: all figures, in the format that the scraper wants.
struct MetricsRoute: Sendable {
    /// Nanoseconds that the loops have to turn in.
    private static let patience: UInt64 = 500_000_000
    private static let vary = [(name: "Vary", value: "Accept")]

    let figures: Figures

    /// The answer, once each loop has turned or half a second is over.
    func answer(to request: borrowing HTTPRequest) -> HTTPAnswer {
        let format = MetricsFormat(accepting: request.values(of: "accept"))
        return .promise { promise in
            figures.server.measureLag(within: Self.patience) { lags in
                promise.give { time in .now(response(format, at: time, lags: lags)) }
            }
        }
    }

    private func response(_ format: MetricsFormat, at time: ServerTime, lags: [UInt64]) -> HTTPResponse {
        let families = figures.families(at: time, lags: lags)
        return HTTPResponse(
            status: .ok, fields: .unstored(format.contentType, Self.vary),
            body: MetricsWriter.write(families, as: format, created: figures.start.epochSeconds),
            annotation: HTTPAnnotation(route: AdminPath.metrics.rawValue))
    }
}
