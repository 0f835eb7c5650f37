import HTTPServer
import Synchronization

extension TokenRoute {
    /// Decides again after the issuer's keys were fetched, or at once if they are not.
    func afterFetch(of feed: KeySetFeed, _ call: TokenCall, replacing refusal: CallerRefusal) -> HTTPAnswer {
        let earlier = ReplaceableRefusal(refusal, of: call, by: self)
        return .later { promise in
            let decide: @Sendable () -> Void = {
                promise.give { time in self.answer(call, at: time, replacing: earlier) }
            }
            if !feed.mayBringKey(for: promise, decide) { decide() }
        }
    }
}

/// A refusal for want of a key that a fetch may bring. It counts and is recorded once nothing can replace it any more, which is
/// so if the client leaves before it is decided again: or else clients that leave could have keys fetched without a trace.
final class ReplaceableRefusal: Sendable {
    private let refusal: CallerRefusal
    private let call: TokenCall
    private let route: TokenRoute
    private let isReplaced = Atomic(false)

    init(_ refusal: CallerRefusal, of call: TokenCall, by route: TokenRoute) {
        (self.refusal, self.call, self.route) = (refusal, call, route)
    }

    /// The request was decided again.
    func replace() { isReplaced.store(true, ordering: .relaxed) }

    deinit {
        if !isReplaced.load(ordering: .relaxed) { _ = route.refuse(call, refusal, at: .now()) }
    }
}
