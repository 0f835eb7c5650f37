import HTTPServer

/// Bytes that a session holds besides those of the library, which are counted (`SessionMemory`): measured, and rounded
/// up.
enum HTTP2Footprint {
    /// The session itself, and what puts its requests together.
    static let session = 1_024
    /// The pages of the frame that is sent, and of the table of streams.
    static let pages = 8_192
    /// A stream that is open or can be used again.
    static let stream = 256
    /// An open stream's request, and the fields of its answer, less what the library counts.
    static let answer = 1_536

    /// All that one open stream makes a session hold, the library's part included.
    private static let wholeStream = 2_560
    /// Connections of one address that may all have their streams open.
    private static let sessionsPerAddress = 32
    /// A client without a few streams at a time is better served by HTTP/1.1.
    private static let leastStreams = 8

    /// How many streams a session may have open: so many that a few sessions of one address stay within its share.
    static func streams(within memory: MemoryLimits, atMost most: Int) -> Int {
        min(most, max(leastStreams, memory.perAddress / sessionsPerAddress / wholeStream))
    }
}
