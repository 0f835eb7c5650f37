/// Counts what a peer sends that costs work and is not a request.
struct FloodGuard {
    /// Its HEADERS, and WINDOW_UPDATE and the like for the answer.
    private static let framesPerRequest = 5
    private static let idleBytesPerFrame = 256

    private var resets: Allowance
    private var idleFrames: Allowance
    /// Bytes that came, less those of the preface and of frames that the library reported: it does not report other
    /// kinds.
    private var unreportedBytes = -24

    init(_ limits: HTTP2Limits, at now: UInt64) {
        resets = Allowance(limits.maxResetsPerSecond, atOnce: 2, at: now)
        idleFrames = Allowance(limits.maxIdleFramesPerSecond, atOnce: 10, at: now)
    }

    /// A stream was reset, by the peer or for what the peer did (CVE-2023-44487, CVE-2025-8671); false if that is one
    /// too many.
    mutating func countReset(at now: UInt64) -> Bool { resets.take(at: now) }

    /// A frame came that may not begin a request; false if that is one too many.
    mutating func countIdleFrame(at now: UInt64) -> Bool { idleFrames.take(at: now) }

    mutating func bytesCame(_ count: Int) { unreportedBytes += count }

    /// The library reported a frame of so many bytes, including its header.
    mutating func reported(_ count: Int) { unreportedBytes -= count }

    /// Counts bytes that came without a frame that the library reports, such as frames of unknown kinds; false if they are
    /// too many. As many as a frame's header has may be one that is not whole, and a head that is open has limits of its own.
    mutating func countUnreported(isInHead: Bool, at now: UInt64) -> Bool {
        if isInHead { unreportedBytes = min(unreportedBytes, 0) }
        guard unreportedBytes > FrameHeader.bytes else { return true }
        defer { unreportedBytes = 0 }
        return (0...unreportedBytes / Self.idleBytesPerFrame).allSatisfy { _ in idleFrames.take(at: now) }
    }

    /// A frame that was counted begins a request, with which a few other frames go.
    mutating func requestBegan() { idleFrames.giveBack(Self.framesPerRequest) }
}

/// So many a second, and some more at once.
struct Allowance {
    /// Nanoseconds; more often only where nothing is left.
    private static let refillEvery: UInt64 = 100_000_000

    private let perSecond: UInt64
    private let most: UInt64
    private var left: UInt64
    private var refilledAt: UInt64

    init(_ perSecond: Int, atOnce seconds: Int, at now: UInt64) {
        self.perSecond = UInt64(max(1, perSecond))
        most = self.perSecond * UInt64(seconds)
        left = most
        refilledAt = now
    }

    /// Takes one; false if there is none.
    mutating func take(at now: UInt64) -> Bool {
        if left == 0 || now >= refilledAt + Self.refillEvery { refill(at: now) }
        guard left > 0 else { return false }
        left -= 1
        return true
    }

    /// Allows for more.
    mutating func giveBack(_ count: Int) { left = min(most, left + UInt64(count)) }

    private mutating func refill(at now: UInt64) {
        // As a product of nanoseconds it might not fit.
        let passed = min(now - min(now, refilledAt), 60_000_000_000)
        let more = passed * perSecond / 1_000_000_000
        guard more > 0 else { return }
        left = min(most, left + more)
        refilledAt = now
    }
}
