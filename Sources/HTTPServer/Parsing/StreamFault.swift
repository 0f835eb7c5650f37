/// What is wrong with a stream's request.
enum StreamFault: Error, Equatable {
    /// It is none (RFC 9113 section 8.1.1).
    case malformed
    /// It is refused for what the same would be refused for in HTTP/1.1.
    case refused(RequestRejection)

    /// What would end the parsing in HTTP/1.1. What lacks a part, or has a body of another length than it says, is no request.
    init(_ stop: RequestParser.Stop, isTargetOfNone: @autoclosure () -> Bool) {
        switch stop {
        case .rejection(.malformedRequestLine), .rejection(.missingHost), .rejection(.malformedLength),
            .rejection(.conflictingLength):
            self = .malformed
        case .incomplete, .rejection(.malformedTarget):
            self = isTargetOfNone() ? .malformed : .refused(.malformedTarget)
        case .rejection(let reason): self = .refused(reason)
        }
    }
}
