/// Where an audit trail goes. Only the trail's writer uses it.
package protocol AuditSink: Sendable {
    /// The file or socket, for the operator.
    var place: String { get }

    /// Returns once every line of the batch is as durable as this place can make it.
    func put(_ batch: AuditBatch) throws(AuditFailure)

    /// The sink that a name means now, for example after a file was renamed; nil if that is this one.
    func reopened() throws(AuditError) -> (any AuditSink)?
}

extension AuditSink {
    /// A place that has no files has nothing to open anew.
    func reopened() throws(AuditError) -> (any AuditSink)? { nil }
}

/// Why lines could not be written.
package struct AuditFailure: Error, Equatable {
    /// What was tried and the system's reason, such as "cannot be written: No space left on device".
    let reason: String
    /// How many of the batch's bytes stand there all the same.
    var standing = 0
}

/// Why an audit trail cannot be opened, in one sentence with the place.
package struct AuditError: Error, Equatable, CustomStringConvertible {
    /// The file or socket.
    package let place: String
    /// What is wrong, and what was expected.
    package let problem: String

    /// For the operator.
    package var description: String { "\(place): \(problem)" }

    /// A value of these parts.
    package init(place: String, problem: String) {
        self.place = place
        self.problem = problem
    }
}
