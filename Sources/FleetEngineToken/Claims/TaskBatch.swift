/// The tasks of a task batch token: 1 to 500 different ids, in their original order; valid once it exists. These limits
/// are ours: Google documents none.
package struct TaskBatch: Hashable, Sendable {
    /// The most tasks of one batch.
    package static let maxTasks = 500

    /// The ids, separated by commas, which no id contains. One text takes a quarter of the memory of many.
    package let text: String
    package let count: Int

    /// A batch of these tasks. Throws the rule that they break.
    package init(_ ids: [FleetEngineID]) throws(TaskBatchError) {
        guard !ids.isEmpty else { throw .empty }
        guard ids.count <= Self.maxTasks else { throw .tooMany(ids.count) }
        guard Set(ids).count == ids.count else { throw .repeatedTask }
        (text, count) = (ids.map(\.text).joined(separator: ","), ids.count)
    }

    /// A batch of one task.
    package init(_ id: FleetEngineID) { (text, count) = (id.text, 1) }

    /// The tasks' ids, at least one.
    package var ids: [FleetEngineID] {
        text.utf8.split(separator: UInt8(ascii: ",")).map { FleetEngineID(valid: String(Substring($0))) }
    }
}

/// Why ids are not a valid batch of tasks.
package enum TaskBatchError: Error, Hashable, Sendable {
    /// The list is empty.
    case empty
    /// There are more ids than a batch may have.
    case tooMany(Int)
    /// An id occurs more than once.
    case repeatedTask

    /// One sentence for the client that sent the ids: what was wrong and what was expected.
    package var sentence: String {
        switch self {
        case .empty: "the list has no id; expected 1 to \(TaskBatch.maxTasks)"
        case .tooMany(let count): "the list has \(count) ids; expected at most \(TaskBatch.maxTasks)"
        case .repeatedTask: "the list has an id more than once; expected each task once"
        }
    }
}
