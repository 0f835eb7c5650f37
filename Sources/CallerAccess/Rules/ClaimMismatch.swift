import StrictJSON

/// What a claim is instead of what a rule asks for; nothing of the claim's content is kept.
struct ClaimMismatch: Sendable {
    private enum Found: String {
        case nothing = "is missing"
        case null = "is null"
        case bool = "is a boolean"
        case integer = "is an integer"
        case number = "is a number that is no integer"
        case text = "is another text"
        case array = "is an array"
        case object = "is an object"
    }

    private let path: ClaimPath
    private let found: Found

    init(path: ClaimPath, value: JSONValue?) {
        self.path = path
        found =
            switch value {
            case nil: .nothing
            case .null: .null
            case .bool: .bool
            case .integer: .integer
            case .number: .number
            case .string: .text
            case .array: .array
            case .object: .object
            }
    }

    var isInteger: Bool { found == .integer }

    /// A sentence's beginning.
    var phrase: String { "the claim \(path.text) \(found.rawValue)" }
}
