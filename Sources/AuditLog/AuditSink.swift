import SystemFiles

/// Where an audit log goes. Only `AuditWriter` uses it.
package protocol AuditSink: Sendable {
    /// The file or socket, for the operator.
    var place: String { get }

    /// Returns once each line of the batch is as durable as this place can make it.
    func put(_ batch: AuditBatch) throws(AuditFailure)

    /// The sink that has the name now, such as after a file was renamed; nil if it is this one.
    func reopened() throws(AuditError) -> (any AuditSink)?

    /// Removes the file if it was just created and is empty.
    func abandon()

    /// Whether it is a file without a name, to which nothing is written any more.
    var isRemoved: Bool { get }
}

extension AuditSink {
    /// Only files are reopened.
    package func reopened() throws(AuditError) -> (any AuditSink)? { nil }

    package func abandon() {}

    package var isRemoved: Bool { false }
}

/// Why lines could not be written.
package struct AuditFailure: Error, Equatable {
    /// What was tried and the system's reason, such as "cannot be written: No space left on device".
    let reason: String
    /// How many of the batch's bytes were written all the same.
    var written = 0

    init(reason: String, written: Int = 0) {
        (self.reason, self.written) = (reason, written)
    }

    /// What could not be done, with the reason for errno.
    init(_ problem: String) {
        self.init(reason: SystemFileError(problem).predicate)
    }
}

/// Why an audit log cannot be opened, in one sentence with the place.
package struct AuditError: Error, Equatable, CustomStringConvertible {
    /// The file or socket.
    package let place: String
    /// What is wrong, and what was expected.
    package let problem: String

    /// For the operator.
    package var description: String { "\(place): \(problem)" }

    /// A problem of this place.
    package init(place: String, problem: String) {
        self.place = place
        self.problem = problem
    }

    /// What the body returns; its failure becomes a problem of this place.
    static func naming<Value>(
        _ place: String, _ body: () throws(AuditFailure) -> Value
    ) throws(AuditError) -> Value {
        do { return try body() } catch { throw AuditError(place: place, problem: error.reason) }
    }
}
