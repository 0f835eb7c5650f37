import CYAML

/// The owner of a `yaml_parser_t` and of the bytes it reads: both are freed with this object.
final class YAMLEventParser {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let isReady: Bool

    /// A parser at the beginning of `bytes`, which must be UTF-8.
    init(_ bytes: [UInt8]) {
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        input = .allocate(capacity: bytes.count)
        _ = input.initialize(from: bytes)
        isReady = yaml_parser_initialize(parser) == 1
        guard isReady else { return }
        // Without this a byte order mark could turn the checked bytes into UTF-16.
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        // Also correct after a failed initialisation, which leaves only null pointers.
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// The next event; after an error there is none.
    func next() throws(YAMLError) -> YAMLEvent {
        guard isReady else { throw outOfMemory }
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxError }
        defer { yaml_event_delete(&event) }
        return YAMLEvent(copying: event)
    }

    private var outOfMemory: YAMLError {
        YAMLError(position: YAMLPosition(line: 1, column: 1), sentence: "there is not enough memory to read the YAML")
    }

    /// libyaml's own words, which are constants of its source and never repeat the text.
    private var syntaxError: YAMLError {
        guard parser.pointee.error != YAML_MEMORY_ERROR, let problem = parser.pointee.problem else {
            return outOfMemory
        }
        let mark = parser.pointee.problem_mark
        if String(decoding: input, as: UTF8.self).unicodeScalars.dropFirst(Int(mark.index)).first == "\t" {
            return YAMLError(
                position: YAMLPosition(mark),
                sentence: "this is not valid YAML: a tab is not allowed here; expected spaces")
        }
        var sentence = "this is not valid YAML: \(String(cString: problem))"
        if let context = parser.pointee.context {
            let line = YAMLPosition(parser.pointee.context_mark).line
            sentence += " \(String(cString: context)) (line \(line))"
        }
        return YAMLError(position: YAMLPosition(mark), sentence: sentence)
    }
}
