/// Which connections can be given up when memory or places run short.
extension ConnectionMachine {
    /// The step that closes it; nil while it waits for us, or where its session has to be asked.
    var sheddingStep: MemoryPressure.Step? {
        switch state {
        case .unannounced, .handshaking, .receiving, .streaming(.opening): .silent
        case .idle: hasAsked ? .idle : .silent
        case .streaming(.idle): hasAsked ? .sessions : .silent
        case .flushing, .discarding, .lingering, .leaving: .stalled
        case .answering, .streaming(.busy), .streaming(.closing), .closed: nil
        }
    }
}
