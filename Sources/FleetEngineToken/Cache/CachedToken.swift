import StrictJSON
import Synchronization

/// A token to be cached, with its rendered answer.
///
/// An answer that contains the token's text is all that is stored of it: the text is most of what a token takes.
package struct RenderedToken: Sendable {
    /// The token's signed times.
    let times: SignedTimes
    /// The answer's body, and the token's text after it unless the body contains it.
    let bytes: [UInt8]
    let answerCount: Int
    /// Where the token's text is among the bytes.
    let jwt: Range<Int>
    let form: UInt8
    let annotation: String
    /// When it is to be renewed, in seconds since the epoch; nil if nothing is planned.
    package var renewal: Int64?

    /// A token with its rendered answer and the answer's format: the caller defines the numbers, 0 to 255. The annotation
    /// is what a log may contain about the token; never the token itself.
    package init(_ token: MintedToken, rendered: [UInt8], form: Int = 0, annotation: String = "") {
        (times, answerCount, self.form, self.annotation) = (
            token.times, rendered.count, UInt8(clamping: form), annotation
        )
        let place = rendered.place(of: token.jwt)
        bytes = place == nil ? rendered + token.jwt : rendered
        let start = place ?? rendered.count
        jwt = start..<start + token.jwt.count
    }

    /// What is stored under the key.
    func text(for key: TokenKey) -> [UInt8] { key.claims.encoded + bytes }
}

/// A cached token and its rendered answer, shared by all event loops.
package final class CachedToken: ExpiringEntry {
    // What a hit reads comes first, to be close together in memory.
    private let profile: SigningProfile
    /// The encoded claims, and after them the bytes of the `RenderedToken`.
    private let text: TokenText
    /// Where the answer's body is in the text, after the claims.
    private let answer: Range<UInt32>
    /// The token's signed times.
    package let times: SignedTimes
    private let encodedForm: UInt8
    private let recorded = Atomic(false)
    private let asked = Atomic(false)
    /// When it is to be renewed, in seconds since the epoch.
    private let renewal: Atomic<Int64>
    /// What a log may contain about the token; never the token itself.
    package let annotation: String
    /// Where the token is in the text.
    private let token: Range<UInt32>
    private let texts: TokenTexts

    private static let unplanned = Int64.min
    private static let never = Int64.max

    /// A token found by the key, with its text for the key in this memory.
    init(_ token: RenderedToken, _ text: [UInt8], for key: TokenKey, in texts: TokenTexts) {
        (times, annotation, encodedForm) = (token.times, token.annotation, token.form)
        (profile, self.texts) = (key.profile, texts)
        renewal = Atomic(token.renewal ?? CachedToken.unplanned)
        self.text = texts.store(text)
        let claims = text.count - token.bytes.count
        answer = UInt32(claims)..<UInt32(claims + token.answerCount)
        self.token = UInt32(claims + token.jwt.lowerBound)..<UInt32(claims + token.jwt.upperBound)
    }

    deinit { texts.free(text) }

    /// Bytes that it takes in the cache, without its text.
    package var bytes: Int { Self.memory(annotation) }

    /// The same for a token with this annotation.
    static func memory(_ annotation: String) -> Int {
        ExpiringEntries<TokenKey.Digest, CachedToken>.overhead + AllocatedBytes.object(storedBytes)
            + AllocatedBytes.text(annotation)
    }

    /// Bytes of the stored properties above.
    private static let storedBytes = 88

    /// Whether it was cached under this key.
    func isFound(by key: TokenKey) -> Bool {
        profile == key.profile && text.withBeginning(Int(answer.lowerBound)) { key.claims.areEncoded(as: $0) }
    }

    /// The format of the rendered answer.
    package var form: Int { Int(encodedForm) }

    /// Bytes of the answer's body.
    package var answerBytes: Int { answer.count }

    /// Copies a range of the answer's body, which is ready to be written, to memory of at least that size.
    package func copyAnswer(_ range: Range<Int>, to target: UnsafeMutableRawPointer) {
        let start = Int(answer.lowerBound)
        precondition(range.lowerBound >= 0 && range.upperBound <= answerBytes)
        text.copy(start + range.lowerBound..<start + range.upperBound, to: target)
    }

    /// A copy of the token's text (RFC 7515 section 7.1).
    package var jwt: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: token.count) { bytes, count in
            guard let start = bytes.baseAddress else { return }
            text.copy(Int(token.lowerBound)..<Int(token.upperBound), to: start)
            count = token.count
        }
    }

    /// Whether the audit log is known to have a record of this token.
    package var isRecorded: Bool { recorded.load(ordering: .acquiring) }

    /// Marks it as recorded in the audit log.
    package func markRecorded() { recorded.store(true, ordering: .releasing) }

    /// Whether a request has asked for this token.
    package var wasAsked: Bool { asked.load(ordering: .relaxed) }

    /// Remembers that a request has asked for it. Only the first call writes, so event loops do not contend for the memory.
    package func markAsked() {
        if !asked.load(ordering: .relaxed) { asked.store(true, ordering: .relaxed) }
    }
}

/// When a token is renewed in the background: each plan is claimed by one caller.
extension CachedToken {
    /// Whether a time was chosen, or the renewal was claimed.
    package var hasRenewalPlan: Bool { renewal.load(ordering: .relaxed) != Self.unplanned }

    /// Whether its renewal is due and not claimed, or no time was chosen; `now` is in seconds since the epoch.
    package func needsRenewal(at now: Int64) -> Bool { renewal.load(ordering: .relaxed) <= now }

    /// Whether this is the time that was chosen, in seconds since the epoch.
    package func isRenewed(at second: Int64) -> Bool { renewal.load(ordering: .relaxed) == second }

    /// Chooses the time of the renewal, in seconds since the epoch.
    package func planRenewal(at second: Int64) { renewal.store(second, ordering: .releasing) }

    /// True for one caller if `needsRenewal`: it renews the token, or makes another plan.
    package func claimRenewal(at now: Int64) -> Bool {
        let planned = renewal.load(ordering: .acquiring)
        guard planned <= now else { return false }
        return renewal.compareExchange(
            expected: planned, desired: Self.never, ordering: .acquiringAndReleasing
        ).exchanged
    }
}

extension [UInt8] {
    /// Where a text begins in it, if it does; it begins early in every answer.
    fileprivate func place(of text: [UInt8]) -> Int? {
        guard !text.isEmpty, text.count <= count else { return nil }
        return (0...(count - text.count)).first {
            self[$0] == text[0] && self[$0..<$0 + text.count].hasSameBytes(as: text[...])
        }
    }
}

/// What 64-bit Linux takes for a value on the heap: Swift's header, and the rounding of malloc(3).
enum AllocatedBytes {
    /// An object with so many bytes of stored properties.
    static func object(_ stored: Int) -> Int { chunk(16 + stored) }

    /// A string; up to 15 bytes are part of where it is stored.
    static func text(_ text: String) -> Int {
        let count = text.utf8.count
        return count <= 15 ? 0 : chunk(32 + count + 1)
    }

    /// malloc(3) of glibc puts 8 bytes before each value, and all begin at multiples of 16.
    private static func chunk(_ bytes: Int) -> Int { (bytes + 8 + 15) & ~15 }
}
