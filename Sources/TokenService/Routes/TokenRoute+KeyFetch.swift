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

/// A refusal because of a missing key, which a fetch may bring. Unless another decision replaces it, it counts and is recorded when
/// it is released. Otherwise clients that leave early could have keys fetched without a trace.
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
