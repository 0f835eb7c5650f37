/// Which connections can be given up when memory or places run short, and since when their clients do nothing.
extension ConnectionMachine {
    /// The step that closes it; nil while it waits for us, or where its session has to be asked.
    var sheddingStep: MemoryPressure.Step? {
        switch state {
        case .unannounced, .handshaking, .receiving, .streaming(.opening): .silent
        case .idle: hasAsked ? .idle : .silent
        case .streaming(.idle): hasAsked ? .sessions : .silent
        case .flushing, .discarding, .lingering, .leaving: .stalled
        case .answering, .streaming(.busy), .closed: nil
        }
    }

    /// The moment, on the monotonic clock, from which the present wait is timed.
    var waitingSince: UInt64 {
        let patience =
            switch state {
            case .idle, .streaming(.idle): isDraining ? timeouts.drainIdle : timeouts.idle
            case .flushing, .leaving: timeouts.write
            case .lingering: timeouts.linger
            case .streaming(.busy): timeouts.stream
            default: timeouts.head
            }
        return deadline - min(deadline, patience)
    }
}
