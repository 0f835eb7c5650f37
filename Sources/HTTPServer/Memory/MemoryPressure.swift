/// How short memory is, as the step that was reached: what is given up so that the rest can be served.
struct MemoryPressure {
    /// What is done, in this order: a step is taken once those before it were not enough.
    enum Step: Int, CaseIterable, Comparable, Sendable {
        /// No connection is accepted from an address that holds more than its share, and its open ones go first. Every
        /// later step halves the share.
        case shares
        /// Connections without a whole request are closed, the oldest first: those that sent nothing, and those in a
        /// handshake or a head.
        case silent
        /// Connections that are idle after a request are closed, the oldest first.
        case idle
        /// Idle sessions of a protocol with streams end (GOAWAY in HTTP/2).
        case sessions
        /// No new stream is answered.
        case streams
        /// Connections are closed whose clients do not take what they asked for, or not send what they announced.
        case stalled
        /// New connections get 503.
        case connections

        /// Thirty-seconds of the budget that are used when the step is taken.
        private var begin: Int {
            switch self {
            case .shares: 16
            case .silent: 20
            case .idle: 22
            case .sessions: 24
            case .streams: 26
            case .stalled: 28
            case .connections: 31
            }
        }

        /// Bytes of a budget that are used when the step is taken.
        func beginning(of limit: Int) -> Int { limit / 32 * begin }

        /// Bytes of a budget with which the step ends: a thirty-second less, so that it does not come and go.
        func end(of limit: Int) -> Int { limit / 32 * (begin - 1) }

        /// The last step that begins with so many used bytes of a budget, or fewer.
        static func reached(by used: Int, of limit: Int) -> Step? {
            allCases.last { used >= $0.beginning(of: limit) }
        }

        static func < (one: Step, other: Step) -> Bool { one.rawValue < other.rawValue }
    }

    /// The last step that is taken; nil while there is enough.
    private(set) var step: Step?

    /// Looks at what is used; whether a step is taken that was not before.
    mutating func observe(_ used: Int, of limit: Int) -> Bool {
        let before = step
        step = Step.allCases.last { $0.isTaken(used, of: limit, since: before) }
        return (step?.rawValue ?? -1) > (before?.rawValue ?? -1)
    }
}

extension MemoryPressure.Step {
    /// Whether the step is taken, where this was the last one so far.
    fileprivate func isTaken(_ used: Int, of limit: Int, since last: Self?) -> Bool {
        let isTakenAlready = last.map { self <= $0 } ?? false
        return used >= (isTakenAlready ? end(of: limit) : beginning(of: limit))
    }
}
