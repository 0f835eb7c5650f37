import Testing

@testable import TokenProvider

/// Both formats, byte for byte.
@Suite struct MetricsWriterTests {
    private static let families = [
        MetricFamily(.counter, "a", "Counts \"a\\b\"\nand more.", [MetricSample([("l", "x\"\\\ny")], 7)]),
        MetricFamily(.gauge, "b_bytes", in: .bytes, "Bytes.", [MetricSample([], -3)]),
        MetricFamily(
            .histogram, "c_seconds", in: .seconds, "Times.",
            [
                MetricSample(
                    [("k", "v")], bounds: [.billionths(500_000), .whole(1)], counts: [2, 0, 1],
                    sum: .billionths(2_000_000_001))
            ]),
        MetricFamily(.info, "d", "Told.", [MetricSample([("version", "1")], 1)]),
        MetricFamily(.gauge, "e", "There is nothing.", []),
    ]

    private func text(_ format: MetricsFormat) -> String {
        String(decoding: MetricsWriter.write(Self.families, as: format, created: 1_700_000_000), as: UTF8.self)
    }

    @Test func `the Prometheus format uses sample names and has no end marker`() {
        #expect(
            text(.prometheus) == #"""
                # TYPE a_total counter
                # HELP a_total Counts "a\\b"\nand more.
                a_total{l="x\"\\\ny"} 7
                # TYPE b_bytes gauge
                # HELP b_bytes Bytes.
                b_bytes -3
                # TYPE c_seconds histogram
                # HELP c_seconds Times.
                c_seconds_bucket{k="v",le="0.0005"} 2
                c_seconds_bucket{k="v",le="1.0"} 2
                c_seconds_bucket{k="v",le="+Inf"} 3
                c_seconds_count{k="v"} 3
                c_seconds_sum{k="v"} 2.000000001
                # TYPE d_info gauge
                # HELP d_info Told.
                d_info{version="1"} 1

                """#)
    }

    @Test func `OpenMetrics has metric names, units, creation times and an end marker`() {
        #expect(
            text(.openMetrics) == #"""
                # TYPE a counter
                # HELP a Counts \"a\\b\"\nand more.
                a_total{l="x\"\\\ny"} 7
                a_created{l="x\"\\\ny"} 1700000000.0
                # TYPE b_bytes gauge
                # UNIT b_bytes bytes
                # HELP b_bytes Bytes.
                b_bytes -3
                # TYPE c_seconds histogram
                # UNIT c_seconds seconds
                # HELP c_seconds Times.
                c_seconds_bucket{k="v",le="0.0005"} 2
                c_seconds_bucket{k="v",le="1.0"} 2
                c_seconds_bucket{k="v",le="+Inf"} 3
                c_seconds_count{k="v"} 3
                c_seconds_sum{k="v"} 2.000000001
                c_seconds_created{k="v"} 1700000000.0
                # TYPE d info
                # HELP d Told.
                d_info{version="1"} 1
                # EOF

                """#)
    }

    @Test(arguments: [
        (MetricNumber.whole(0), "0"), (.whole(-12), "-12"), (.billionths(0), "0.0"), (.billionths(1), "0.000000001"),
        (.billionths(250_000), "0.00025"), (.billionths(-1_500_000_000), "-1.5"),
        (.billionths(.max), "9223372036.854775807"),
        (.billionths(.min), "-9223372036.854775808"),
    ])
    func `a number is written exactly`(number: MetricNumber, text: String) {
        #expect(number.text() == text)
    }
}
