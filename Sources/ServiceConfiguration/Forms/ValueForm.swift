/// How what a source gives for a setting becomes its value, and how the default is written.
struct ValueForm<Value: Sendable>: Sendable {
    /// What is expected, in words.
    let expectation: String
    /// Whether several texts may be given.
    var isList = false
    /// Whether it is a list of mappings, which only a file can hold.
    var isOfRecords = false
    /// What to show for a setting without a default.
    var example: String?
    /// The value of an input; throws everything that is wrong with it.
    let read: @Sendable (SettingInput, _ key: String) throws(SettingFailure) -> Value
    /// The YAML text of a value; nil for a value that is not written.
    let write: @Sendable (Value) -> String?
    /// The value of the elements without errors; nil for a form that has no elements of its own.
    var readValidElements: (@Sendable (SettingInput) -> Value)?
}

extension ValueForm {
    /// Exactly one text.
    package static func one(_ form: ScalarForm<Value>) -> Self {
        ValueForm(
            expectation: form.expectation,
            read: { (input, key) throws(SettingFailure) in try form.only(of: input, key: key) },
            write: { form.write($0) })
    }

    /// One text, or nothing at all, as `example` shows.
    package static func optional<Wrapped>(_ form: ScalarForm<Wrapped>, example: String) -> Self
    where Value == Wrapped? {
        ValueForm(
            expectation: form.expectation, example: example,
            read: { (input, key) throws(SettingFailure) in try form.only(of: input, key: key) },
            write: { $0.map(form.write) })
    }

    /// One text or a list of them, or nothing at all, as `example` shows.
    static func optionalList<Element>(of form: ScalarForm<Element>, example: String) -> Self where Value == [Element]? {
        let list = ValueForm<[Element]>.list(of: form, allowsNone: false)
        return ValueForm(
            expectation: list.expectation, isList: true, example: example,
            read: { (input, key) throws(SettingFailure) in try list.read(input, key) },
            write: { $0.flatMap(list.write) })
    }

    /// One text or a list of them.
    package static func list<Element>(of form: ScalarForm<Element>, allowsNone: Bool) -> Self where Value == [Element] {
        ValueForm(
            expectation: "\(form.expectation), or a list of them", isList: true,
            read: { (input, key) throws(SettingFailure) in
                let values = try form.all(of: input, key: key)
                guard allowsNone || !values.isEmpty else {
                    throw SettingFailure(input, key, "is an empty list; expected at least one: \(form.expectation)")
                }
                return values
            },
            write: { $0.count == 1 ? form.write($0[0]) : "[\($0.map(form.write).joined(separator: ", "))]" })
    }

    /// A list of mappings, each read by `element`, as `example` shows one.
    package static func records<Element>(
        _ expectation: String, example: String,
        _ element: @escaping @Sendable (SettingRecord) throws(SettingFailure) -> Element
    ) -> Self where Value == [Element] {
        ValueForm(
            expectation: expectation, isList: true, isOfRecords: true, example: example,
            read: { (input, _) throws(SettingFailure) in
                var elements: [Element] = []
                var problems: [ConfigurationProblem] = []
                for record in input.records {
                    do throws(SettingFailure) {
                        elements.append(try element(record))
                    } catch {
                        problems += error.problems
                    }
                }
                guard problems.isEmpty else { throw SettingFailure(problems: problems) }
                return elements
            },
            write: { _ in nil },
            readValidElements: { input in
                input.records.compactMap { record -> Element? in
                    do throws(SettingFailure) { return try element(record) } catch { return nil }
                }
            })
    }
}

extension ScalarForm {
    fileprivate func only(of input: SettingInput, key: String) throws(SettingFailure) -> Value {
        guard !input.isList, let text = input.texts.first else {
            throw SettingFailure(input, key, "is a list; expected \(expectation)")
        }
        do { return try value(of: text, key: key) } catch { throw SettingFailure(problems: [error]) }
    }

    fileprivate func all(of input: SettingInput, key: String) throws(SettingFailure) -> [Value] {
        var values: [Value] = []
        var problems: [ConfigurationProblem] = []
        for text in input.texts {
            do { values.append(try value(of: text, key: key)) } catch { problems.append(error) }
        }
        guard problems.isEmpty else { throw SettingFailure(problems: problems) }
        return values
    }
}

extension SettingFailure {
    init(_ input: SettingInput, _ key: String, _ what: String) {
        self.init(problems: [ConfigurationProblem(origin: input.origin, key: key, what: what)])
    }
}
