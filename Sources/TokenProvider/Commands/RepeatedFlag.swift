/// A flag that a command line repeats although it takes one value. The parser would silently use the last one.
struct RepeatedFlag {
    private let name: String

    init(name: String) { self.name = name }

    /// Flags that take several values, and the ids of `mint`, which have error messages of their own.
    private static let repeatable: Set<String> = [
        "--listen", "--kinds", "--rule", "--header", "--expect-last", "--checkpoints", "--trip", "--vehicle",
        "--delivery-vehicle", "--task", "--tracking", "--tasks",
    ]

    /// The first one among the arguments; nil if there is none.
    init?(in arguments: some Sequence<String>) {
        var seen: Set<String> = []
        // After "--" nothing is a flag.
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            let name = String(argument.prefix { $0 != "=" })
            guard RepeatedFlag.repeatable.contains(name) || seen.insert(name).inserted else {
                self.name = name
                return
            }
        }
        return nil
    }

    var sentence: String { "\(name) is given more than once; expected it once" }
}
