/// When an answer is given.
package enum HTTPAnswer {
    /// At once, in the turn that read the request.
    case now(HTTPResponse)
    /// After work that is too long for the reading turn, such as a signature. The loop runs one piece of work between
    /// two looks at its sockets, in the order of arrival; what it returns is the answer, or what that waits for next.
    case afterWork((ServerTime) -> HTTPAnswer)
    /// When somebody else gives it: the closure is called on the loop at once and hands the promise on. The connection
    /// waits for as long as it takes.
    case later((consuming LateAnswer) -> Void)

    /// The same answer at the same time, its response changed.
    package func map(_ change: @escaping @Sendable (HTTPResponse) -> HTTPResponse) -> HTTPAnswer {
        switch self {
        case .now(let response): .now(change(response))
        case .afterWork(let work): .afterWork { time in work(time).map(change) }
        case .later(let begin): .later { promise in begin(promise.mapping { $0.map(change) }) }
        }
    }
}
