import Testing

@testable import ServiceConfiguration
@testable import TokenProvider

struct FileWatchTests {
    private let watch = FileWatch(FileWatch.Files())
    private let later = FileWatch.pause + 100

    @Test func `files that could not be used count as changed once`() {
        #expect(!watch.hasSettledChange(at: later))
        watch.tryAgain(at: 100)
        #expect(!watch.hasSettledChange(at: later - 1))
        #expect(watch.hasSettledChange(at: later))
        #expect(!watch.hasSettledChange(at: later + later))
    }

    @Test func `files that were read again are not tried again`() throws {
        watch.tryAgain(at: 100)
        _ = try watch.noting { (_) throws(ConfigurationErrors) in 0 }
        #expect(!watch.hasSettledChange(at: later))
    }
}
