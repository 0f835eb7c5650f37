/// What the access log says of a request beyond HTTP; never a secret. One that says nothing costs nothing.
public struct HTTPAnnotation: Sendable, Equatable {
    private final class Words: Sendable {
        let route: String
        let subject: String
        let code: String
        let rule: String

        init(_ route: String, _ subject: String, _ code: String, _ rule: String) {
            (self.route, self.subject, self.code, self.rule) = (route, subject, code, rule)
        }
    }

    private let words: Words?

    /// Says nothing.
    public init() { words = nil }

    /// Says what is known; the rest is empty.
    public init(route: String = "", subject: String = "", code: String = "", rule: String = "") {
        words = Words(route, subject, code, rule)
    }

    /// The route that answered, such as `/token`; empty if none did. Never the path itself, which may hold an id.
    public var route: String { words?.route ?? "" }
    /// What was asked for, such as a keyed digest of the id; empty if it was not known.
    public var subject: String { words?.subject ?? "" }
    /// The stable code of a problem; empty if there was none.
    public var code: String { words?.code ?? "" }
    /// The name of the rule that allowed it; empty if none had to.
    public var rule: String { words?.rule ?? "" }

    /// Whether both say the same.
    public static func == (left: HTTPAnnotation, right: HTTPAnnotation) -> Bool {
        (left.route, left.subject, left.code, left.rule) == (right.route, right.subject, right.code, right.rule)
    }
}
