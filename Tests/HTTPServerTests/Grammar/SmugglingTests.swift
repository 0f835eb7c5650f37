import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Requests that two parties could read differently are refused.
struct SmugglingTests {
    @Test(arguments: AmbiguousRequest.bodyLengths)
    func `an ambiguous body length is refused`(attempt: AmbiguousRequest) {
        #expect(parse(attempt.text) == .rejection(attempt.reason))
    }

    @Test(arguments: AmbiguousRequest.transferCodings)
    func `any transfer coding other than a single chunked is refused`(attempt: AmbiguousRequest) {
        #expect(parse(attempt.text) == .rejection(attempt.reason))
    }

    @Test(arguments: AmbiguousRequest.lines)
    func `a line with ambiguous boundaries is refused`(attempt: AmbiguousRequest) {
        #expect(parse(attempt.text) == .rejection(attempt.reason))
    }

    @Test(arguments: AmbiguousRequest.targetsAndHosts)
    func `an ambiguous target or host is refused`(attempt: AmbiguousRequest) {
        #expect(parse(attempt.text) == .rejection(attempt.reason))
    }
}
