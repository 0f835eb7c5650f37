import Testing

@testable import TokenProvider

/// Which format a scraper gets (RFC 9110 section 12.5.1).
@Suite struct MetricsFormatTests {
    private func format(_ values: String...) -> MetricsFormat {
        MetricsFormat(accepting: values.map { Array($0.utf8) })
    }

    @Test(arguments: [
        // Prometheus 2.42 and 3; curl; browsers.
        "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
        "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=1.0.0;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
        "application/openmetrics-text", "Application/OpenMetrics-Text ; Version=\"1.0.0\"",
        "text/plain, application/openmetrics-text", "text/*;q=0.5,application/openmetrics-text;q=0.5",
        "text/plain;version=0.0.4;q=0,application/openmetrics-text;q=0.001", "application/openmetrics-text;q=1.000",
    ])
    func `OpenMetrics is used if accepted with at least equal preference`(accept: String) {
        #expect(format(accept) == .openMetrics)
    }

    @Test(arguments: [
        "", "*/*", "text/html,application/xhtml+xml,*/*;q=0.8", "application/*", "application/json", "text/plain",
        "application/openmetrics-text;version=0.0.1", "application/openmetrics-text;q=0",
        "application/openmetrics-text;q=0.3,text/plain;q=0.4", "application/openmetrics-text;q=0.3,text/*;q=0.4",
        "application/openmetrics-text;q=2", "application/openmetrics-text;q=0.1234", "application/openmetrics-text;q=x",
        "application/openmetrics-text;q=1.1", "openmetrics-text", "application/openmetrics-text/x", ";;,,/,a/,/b",
        "*/*;q=0", "application/openmetrics-text;q=.5", "application/openmetrics-text;q=1e-1",
        "application/openmetrics-text;q=+1",
    ])
    func `any other Accept header gets the Prometheus text format`(accept: String) {
        #expect(format(accept) == .prometheus)
    }

    @Test func `an Accept list may span several headers or be absent`() {
        #expect(format("text/plain;q=0.1", "application/openmetrics-text") == .openMetrics)
        #expect(format() == .prometheus)
    }
}
