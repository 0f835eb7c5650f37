import StrictJSON
import Synchronization

/// A token and its rendered answer, shared by all event loops.
///
/// The answer contains the token's text, which is not stored a second time: it is most of what a token takes.
package final class CachedToken: Sendable {
    /// Under what it is cached.
    package let key: TokenKey
    // These fit into what would be unused after the key.
    private let encodedForm: UInt8
    private let recorded = Atomic(false)
    private let asked = Atomic(false)
    /// Where the text begins in the answer, and its length.
    private let start: UInt32
    private let length: UInt32
    /// The answer's body, rendered by the caller and ready to be written.
    package let rendered: [UInt8]
    /// The token's signed times.
    package let times: SignedTimes
    /// What a log may contain about the token; never the token itself.
    package let annotation: String
    /// The token's text where the answer does not contain it; empty otherwise.
    private let apart: [UInt8]
    /// When it is to be renewed, in seconds since the epoch.
    private let renewal = Atomic(CachedToken.unplanned)

    private static let unplanned = Int64.min
    private static let never = Int64.max

    /// A token to be cached under the key, with its rendered answer and the answer's format: the caller defines the
    /// numbers, 0 to 255.
    package init(
        _ token: MintedToken, for key: TokenKey, rendered: [UInt8], form: Int = 0, annotation: String = ""
    ) {
        self.key = key
        self.rendered = rendered.withoutSpareCapacity
        times = token.times
        encodedForm = UInt8(clamping: form)
        self.annotation = annotation
        let place = rendered.place(of: token.jwt)
        (start, length) = (UInt32(truncatingIfNeeded: place ?? 0), UInt32(truncatingIfNeeded: token.jwt.count))
        apart = place == nil ? token.jwt.withoutSpareCapacity : []
    }

    /// The format of the rendered answer.
    package var form: Int { Int(encodedForm) }

    /// The token's text (RFC 7515 section 7.1).
    package var jwt: ArraySlice<UInt8> {
        let text = apart.isEmpty ? rendered : apart
        return text[Int(start)..<Int(start) + Int(length)]
    }

    /// Bytes that it takes from the allocator.
    var memory: Int {
        AllocatedBytes.object(Self.storedBytes) + key.memory + AllocatedBytes.array(rendered.count)
            + (apart.isEmpty ? 0 : AllocatedBytes.array(apart.count)) + AllocatedBytes.text(annotation)
    }

    /// Bytes of the stored properties above.
    private static let storedBytes = 104

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
    /// A copy that takes no more memory than its bytes.
    fileprivate var withoutSpareCapacity: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { copy, copied in
            copied = withUnsafeBufferPointer { copy.initialize(fromContentsOf: $0) }
        }
    }

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

    /// An array of so many bytes; an empty one takes nothing.
    static func array(_ count: Int) -> Int { count == 0 ? 0 : chunk(32 + count) }

    /// A string; up to 15 bytes are part of where it is stored.
    static func text(_ text: String) -> Int {
        let count = text.utf8.count
        return count <= 15 ? 0 : chunk(32 + count + 1)
    }

    /// malloc(3) of glibc puts 8 bytes before each value, and all begin at multiples of 16.
    private static func chunk(_ bytes: Int) -> Int { (bytes + 8 + 15) & ~15 }
}
