/// Why and where a JSON text is refused. It holds nothing of the text.
package struct JSONError: Error, Hashable, Sendable {
    /// What is wrong with the text.
    package enum Problem: Hashable, Sendable, CaseIterable {
        /// There is nothing but white space.
        case empty
        /// The text begins with U+FEFF (RFC 8259 section 8.1).
        case byteOrderMark
        /// The text ends within a value.
        case cutOff
        /// No value begins here.
        case noValue
        /// No member's name begins here.
        case noName
        /// A member's name is not followed by a colon.
        case noColon
        /// An element or member is followed neither by a comma nor by the end of its array or object.
        case noComma
        /// A number has a leading zero, or no digit here.
        case malformedNumber
        /// A string holds a character below U+0020 that is not escaped.
        case controlCharacter
        /// An escape is not one of those in RFC 8259 section 7.
        case malformedEscape
        /// An escape is one half of a surrogate pair.
        case loneSurrogate
        /// The string that begins here holds bytes that are not UTF-8.
        case illFormedUTF8
        /// The name that begins here is already in its object.
        case repeatedName
        /// The array or object that begins here is nested too deeply.
        case tooDeep
        /// There is something other than white space after the value.
        case trailingBytes
    }

    /// What is wrong.
    package let problem: Problem
    /// Where it is: the number of bytes before it.
    package let offset: Int

    /// An error about the byte at the offset.
    package init(problem: Problem, offset: Int) {
        self.problem = problem
        self.offset = offset
    }

    /// One sentence: what is wrong, where, and what was expected.
    package var sentence: String { "the JSON text \(reason)" }

    /// The predicate of the sentence.
    package var reason: String { "\(problem.phrase.fault) at byte \(offset); \(problem.phrase.expected)" }
}

extension JSONError.Problem {
    fileprivate var phrase: (fault: String, expected: String) {
        switch self {
        case .empty: ("is empty", "expected a value")
        case .byteOrderMark: ("begins with a byte order mark", "expected none")
        case .cutOff: ("is cut off", "expected the rest of a value")
        case .noValue: ("has something other than a value", "expected a value")
        case .noName: ("has something other than a member's name", "expected a string")
        case .noColon: ("has something other than a colon", "expected one after a member's name")
        case .noComma: ("has something other than a comma", "expected one, or the end of the array or object")
        case .malformedNumber: ("has a malformed number", "expected digits without a leading zero")
        case .controlCharacter: ("has a control character in a string", "expected its escape")
        case .malformedEscape: ("has a malformed escape", "expected one that RFC 8259 defines")
        case .loneSurrogate: ("has half of a surrogate pair", "expected both halves as escapes")
        case .illFormedUTF8: ("has bytes that are not UTF-8 in the string", "expected UTF-8")
        case .repeatedName: ("repeats a member's name", "expected each name once")
        case .tooDeep: ("is nested too deeply", "expected fewer arrays and objects in each other")
        case .trailingBytes: ("has something after its value", "expected the end")
        }
    }
}
