import StrictJSON

/// A private key on a token, by the attributes of both: a PKCS #11 URI (RFC 7512).
package struct PKCS11URI: Hashable, Sendable {
    /// The attributes that may be given (RFC 7512 section 2.3), in the order in which they are written.
    enum Attribute: String, CaseIterable {
        case token, manufacturer, model, serial, object, id, type

        /// The attributes of a token; the others are of a key.
        static let ofToken: [Attribute] = [.token, .manufacturer, .model, .serial]

        /// The most bytes of a value, in a token's description (PKCS #11 section 3.2) or by our choice.
        var maxBytes: Int {
            switch self {
            case .token, .manufacturer: 32
            case .model, .serial: 16
            case .object, .id, .type: 64
            }
        }
    }

    private let values: [Attribute: [UInt8]]

    /// Parses the text strictly: each attribute once, with a value, and enough of them to find one key.
    package init(_ text: String) throws(PKCS11URIError) {
        guard text.hasPrefix(Self.scheme) else { throw .otherScheme }
        let parts = text.utf8.dropFirst(Self.scheme.utf8.count).split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var values: [Attribute: [UInt8]] = [:]
        for part in parts[0].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
            let (attribute, value) = try Self.attribute(part)
            guard values.updateValue(value, forKey: attribute) == nil else { throw .repeated(attribute.rawValue) }
        }
        // Every attribute of the query is a secret or names a module.
        if parts.count > 1 { throw PKCS11URIError(unknown: Self.name(parts[1])) }
        self.values = values
        guard values[.token] != nil || values[.serial] != nil else { throw .noToken }
        guard values[.object] != nil || values[.id] != nil else { throw .noKey }
        guard values[.type].map({ $0.elementsEqual("private".utf8) }) != false else { throw .notPrivate }
    }

    private static let scheme = "pkcs11:"

    /// The value of an attribute; nil if it is not given.
    subscript(attribute: Attribute) -> [UInt8]? { values[attribute] }

    /// The URI in its shortest form, for messages. It holds no secret.
    package var text: String {
        let pairs = Attribute.allCases.compactMap { attribute in
            values[attribute].map { "\(attribute.rawValue)=\(Self.encoded($0, wholly: attribute == .id))" }
        }
        return Self.scheme + pairs.joined(separator: ";")
    }

    private static func name(_ pair: Substring.UTF8View.SubSequence) -> String {
        String(decoding: pair.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }

    private static func attribute(
        _ pair: Substring.UTF8View.SubSequence
    ) throws(PKCS11URIError) -> (Attribute, [UInt8]) {
        let name = name(pair)
        guard let attribute = Attribute(rawValue: name) else { throw PKCS11URIError(unknown: name) }
        let value = try decoded(Array(pair.dropFirst(name.utf8.count + 1)), attribute)
        guard !value.isEmpty else { throw .empty(name) }
        // After an ampersand instead of a question mark it is a part of the value, which messages show.
        for secret in ["pin-value", "pin-source"] where String(decoding: value, as: UTF8.self).contains(secret) {
            throw .secret(secret)
        }
        guard value.count <= attribute.maxBytes else { throw .tooLong(name, maxBytes: attribute.maxBytes) }
        guard attribute == .id || isText(value) else { throw .malformed(name) }
        return (attribute, value)
    }

    /// Text as tokens hold it: UTF-8 without control characters.
    private static func isText(_ value: [UInt8]) -> Bool {
        guard let text = String(validating: value, as: UTF8.self) else { return false }
        return !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// The value without percent-encoding; every other byte must be a `pk11-pchar` (RFC 7512 section 2.3).
    private static func decoded(_ text: [UInt8], _ attribute: Attribute) throws(PKCS11URIError) -> [UInt8] {
        guard text.allSatisfy({ isUnreserved($0) || "%:[]@!$'()*+,=&".utf8.contains($0) }),
            let value = PercentEncoding.decode(text)
        else { throw .malformed(attribute.rawValue) }
        return value
    }

    private static func encoded(_ value: [UInt8], wholly: Bool) -> String {
        value.reduce(into: "") { text, byte in
            if isUnreserved(byte) && !wholly {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text +=
                    "%" + String(byte / 16, radix: 16, uppercase: true) + String(byte % 16, radix: 16, uppercase: true)
            }
        }
    }

    /// RFC 3986 section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool { byte.isAlphanumeric(or: "-._~") }
}

/// Why a PKCS #11 URI is refused. It holds no value of an attribute, since one may be a PIN.
package enum PKCS11URIError: Error, Hashable, Sendable {
    /// The text does not begin with `pkcs11:`.
    case otherScheme
    /// The attribute holds a PIN, or says where one is.
    case secret(String)
    /// The attribute names a module.
    case module(String)
    /// The attribute names a slot, whose number or description changes when a token is moved.
    case slot(String)
    /// The attribute is none of RFC 7512; its name is nil if it may be something else.
    case unknown(String?)
    case repeated(String)
    case empty(String)
    case tooLong(String, maxBytes: Int)
    /// The value has a character that must be percent-encoded, a wrong percent-encoding, or is not text.
    case malformed(String)
    case noToken
    case noKey
    case notPrivate

    fileprivate init(unknown name: String) {
        switch name {
        case "pin-value", "pin-source": self = .secret(name)
        case "module-name", "module-path", "library-manufacturer", "library-version", "library-description":
            self = .module(name)
        case "slot-id", "slot-manufacturer", "slot-description": self = .slot(name)
        default:
            let isWord = !name.isEmpty && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
            self = .unknown(isWord && name.utf8.count <= 32 ? name : nil)
        }
    }

    /// A predicate of the URI.
    package var problem: String {
        switch self {
        case .otherScheme: "does not begin with pkcs11:"
        case .secret(let name): "has \(name), but a PIN belongs in the file that pkcs11.pin names"
        case .module(let name): "has \(name), but pkcs11.module names the module"
        case .slot(let name): "has \(name), but slots change when tokens are moved; a token has a label and a serial"
        case .unknown(let name): name.map { "has the unknown attribute \($0)" } ?? "has an unknown attribute"
        case .repeated(let name): "has \(name) twice"
        case .empty(let name): "has an empty \(name)"
        case .tooLong(let name, let maxBytes): "has a \(name) of more than \(maxBytes) bytes"
        case .malformed(let name): "has a \(name) that is not percent-encoded UTF-8"
        case .noToken: "names no token"
        case .noKey: "names no key"
        case .notPrivate: "has a type other than private"
        }
    }
}
