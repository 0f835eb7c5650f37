import CallerAccess
import FleetEngineToken
import HTTPServer
import StrictJSON
import StrictYAML
import SystemFiles

extension ValueForm where Value == ClaimPath {
    /// A claim's name, names with dots between them, or a list of names for a claim whose own name has dots.
    static var claimPath: Self {
        let names = ValueForm<[String]>.list(of: .text("a claim's name"), allowsNone: false)
        return ValueForm(
            expectation: "a claim's name, or a list of the names that lead to it",
            read: { (input, key) throws(SettingFailure) in
                let names = try names.read(input, key)
                do throws(AccessRuleError) {
                    return input.isList ? try ClaimPath(names: names) : try ClaimPath(names.joined())
                } catch {
                    throw SettingFailure(input, key, error.sentence)
                }
            },
            write: { _ in nil })
    }
}

extension ValueForm where Value == AllowedIDs {
    /// What an id in a rule may be, in words.
    static var allowedIDsExpectation: String { "any, a list of ids, or {claim: NAME}" }

    /// The word any, or a list of ids.
    static var allowedIDs: Self {
        let literals = ValueForm<[FleetEngineID]>.list(of: .id, allowsNone: false)
        return ValueForm(
            expectation: allowedIDsExpectation,
            read: { (input, key) throws(SettingFailure) in
                guard !input.isList else { return .literals(Set(try literals.read(input, key))) }
                guard input.texts.first?.text == "any" else {
                    throw SettingFailure(
                        input, key, "is neither any nor a list; expected \(allowedIDsExpectation)")
                }
                return .any
            },
            write: { _ in nil })
    }
}

extension ScalarForm where Value == FleetEngineID {
    /// The id of a trip, a vehicle or a task.
    package static var id: Self {
        ScalarForm("an id", making: FleetEngineID.init(_:)) { "is not an id: \($0.sentence)" }
    }
}

extension ScalarForm where Value == JSONValue {
    /// What a claim may equal: a text, an integer as JSON writes it, true or false; in quotes always a text. A text that
    /// some YAML readers take for another type must be quoted.
    static var claimLiteral: Self {
        ScalarForm(
            "true, false, an integer or a text, in quotes if YAML could read it as another type"
        ) { (text) throws(ValueProblem) in
            guard !text.isQuoted else { return .string(text.text) }
            if let flag = Bool(text.text) { return .bool(flag) }
            if let number = Int64(text.text), "\(number)" == text.text { return .integer(number) }
            guard PlainScalar.isText(text.text) else {
                throw ValueProblem("is not in quotes, and some YAML readers take it for another type")
            }
            return .string(text.text)
        }
    }
}

extension ScalarForm where Value == CertificateName {
    /// A name of a client's certificate, after its kind.
    static var certificateName: Self {
        ScalarForm("uri:, dns:, email: or subject: followed by the certificate's name") { (text) throws(ValueProblem) in
            guard let name = CertificateName(text.text) else { throw ValueProblem("is not the name of a certificate") }
            return name
        }
    }
}

extension ScalarForm where Value == String {
    /// The path of a file; relative paths start from the folder of the text.
    package static func path(_ expectation: String) -> Self {
        ScalarForm(expectation) { (text) throws(ValueProblem) in
            guard !PastedSecret.resembles(text.text) else { throw ValueProblem("is a secret, not a path") }
            return text.located(try visible(text.text))
        }
    }

    /// The path of a library. The loader would look for a name without a slash elsewhere than where it was checked
    /// (dlopen(3)), so the path is absolute.
    static func library(_ expectation: String) -> Self {
        let form = path(expectation)
        return ScalarForm(expectation) { (text) throws(ValueProblem) in RealPath.absolute(try form.read(text)) }
    }
}

extension ScalarForm where Value == Double {
    /// Requests per second; 0 means no limit.
    package static var rate: Self {
        let number = fraction(0...RateLimit.rates.upperBound)
        return ScalarForm(
            "requests per second from 0.001 to 1000000, or 0", isPlain: true, write: number.write
        ) { (text) throws(ValueProblem) in
            let rate = try number.read(text)
            guard rate == 0 || RateLimit.rates.contains(rate) else { throw ValueProblem("is under 0.001") }
            return rate
        }
    }
}

extension ScalarForm where Value == AddressRange {
    /// A range of addresses, such as 10.0.0.0/8, or one address.
    static var addressRange: Self {
        ScalarForm(
            "an address or a range such as 10.0.0.0/8 or 2001:db8::/32", making: AddressRange.init(_:),
            problem: \.problem)
    }
}
