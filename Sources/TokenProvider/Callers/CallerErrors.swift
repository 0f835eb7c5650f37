/// All that is wrong with what decides about callers, a sentence each.
struct CallerErrors: Error {
    private(set) var sentences: [String]

    init(sentences: [String]) { self.sentences = sentences }

    /// What `make` makes; an error becomes its sentence, with the place before it.
    static func wrapping<Value, Failure: Error>(
        _ place: String, _ make: () throws(Failure) -> Value, sentence: (Failure) -> String
    ) throws(CallerErrors) -> Value {
        do {
            return try make()
        } catch {
            throw CallerErrors(sentences: ["\(place): \(sentence(error))"])
        }
    }

    /// What `make` makes; nil, with its errors added to these, if it throws.
    mutating func noting<Value>(_ make: () throws(CallerErrors) -> Value) -> Value? {
        do {
            return try make()
        } catch {
            sentences += error.sentences
            return nil
        }
    }
}
