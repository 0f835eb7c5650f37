import FleetEngineToken
import HTTPClient
import HTTPServer
import OpenSSLCrypto
import StrictJSON
import SystemFiles

extension ScalarForm where Value == String {
    /// A text that is not empty and has no control characters.
    package static func text(_ expectation: String) -> Self {
        ScalarForm(expectation) { (text) throws(ValueProblem) in
            try visible(text.text)
        }
    }

    /// The path of a key file; relative paths start from the folder of the text.
    package static var keyFile: Self {
        ScalarForm("the path of a credentials file, or application_default") { (text) throws(ValueProblem) in
            if text.text == Configuration.applicationDefault { return text.text }
            // A pasted key must not come back in an error, not even in part.
            guard !PastedSecret.isContent(text.text) else {
                throw ValueProblem("is the key itself, not its path", hidingText: true)
            }
            return text.located(try visible(text.text, hidingText: true))
        }
    }

    /// The e-mail address of a service account.
    static var accountName: Self {
        ScalarForm("a service account's address") { (text) throws(ValueProblem) in
            guard let email = ServiceAccountEmail(text.text) else { throw ValueProblem("is not an e-mail address") }
            return email.text
        }
    }

    /// The domain of Google's services in a universe.
    static var domain: Self {
        ScalarForm("a domain") { (text) throws(ValueProblem) in
            guard let url = try? OutgoingURL("https://\(text.text)"), url.host == text.text else {
                throw ValueProblem("is not a domain in lower case")
            }
            return text.text
        }
    }

    /// The id of a key, as Google gives one.
    static var keyID: Self {
        ScalarForm("1 to 128 visible ASCII characters") { (text) throws(ValueProblem) in
            guard (1...128).contains(text.text.utf8.count),
                text.text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw ValueProblem("is not the id of a key") }
            return text.text
        }
    }

    /// The path of a file with a secret. Without a slash it may be the secret itself, which errors must not show.
    static var secretPath: Self {
        ScalarForm("the path of a file, with a slash") { (text) throws(ValueProblem) in
            guard text.text.contains("/") else { throw ValueProblem("is not a path", hidingText: true) }
            return text.located(try visible(text.text, hidingText: true))
        }
    }

    /// The beginning of a path: segments of unreserved characters (RFC 3986 section 2.3). The first one must not be that of
    /// a path that the daemon serves: such a request would have two meanings.
    static var pathPrefix: Self {
        ScalarForm("/SEGMENT or more of them, of letters, digits and -._~, without a slash at the end") {
            (text) throws(ValueProblem) in
            let segments = text.text.split(separator: "/", omittingEmptySubsequences: false)
            let areSegments = segments.dropFirst().allSatisfy { segment in
                !["", ".", ".."].contains(segment) && segment.utf8.allSatisfy { $0.isAlphanumeric(or: "-._~") }
            }
            guard segments.count > 1, segments[0].isEmpty, areSegments else { throw ValueProblem("is not such a path") }
            guard !["token", "healthz"].contains(segments[1]) else {
                throw ValueProblem("begins as a path that token-provider serves")
            }
            return text.text
        }
    }

    /// The name of a query parameter without a meaning of its own.
    static var ignoredParameter: Self {
        ScalarForm("the name of a query parameter that token-provider does not use") { (text) throws(ValueProblem) in
            guard !QueryParameter.resembles(text.text) else {
                throw ValueProblem("is a parameter that token-provider uses")
            }
            return try visible(text.text)
        }
    }

    /// The path in a text, relative ones from its folder; nil for a URL.
    static func path(unlessURL text: SettingText) throws(ValueProblem) -> String? {
        text.text.contains("://") ? nil : text.located(try visible(text.text))
    }

    package static func visible(_ text: String, hidingText: Bool = false) throws(ValueProblem) -> String {
        guard !text.isEmpty else { throw ValueProblem("is empty", hidingText: hidingText) }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw ValueProblem("has a control character", hidingText: hidingText)
        }
        return text
    }
}

extension ScalarForm where Value == Configuration.Batch {
    /// Whether signatures are made in batches, or the path of the library that makes them.
    static var batch: Self {
        let library = ScalarForm<String>.library("auto, off or the path of Intel's libcrypto_mb.so")
        return ScalarForm(library.expectation) { (text) throws(ValueProblem) in
            let batch = Configuration.Batch(text.text)
            guard case .path(let path) = batch else { return batch }
            guard path.contains("/") else { throw ValueProblem("is not a path with a slash") }
            return .path(try library.read(text))
        }
    }
}

extension ScalarForm where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the words of `Value`.
    package static var word: Self {
        let words = Value.allCases.map(\.rawValue)
        return ScalarForm(
            words.count == 1 ? words.joined() : "one of \(words.joined(separator: ", "))", write: { $0.rawValue }
        ) { (text) throws(ValueProblem) in
            guard let value = Value(rawValue: text.text) else { throw ValueProblem("is unknown") }
            return value
        }
    }
}

extension ScalarForm where Value == SocketAddress {
    /// An address to listen on; the relative path of a unix socket starts from the folder of the text.
    static var listenAddress: Self {
        ScalarForm("ADDR:PORT, [IPV6]:PORT, localhost:PORT or unix:PATH") { (text) throws(ValueProblem) in
            let address = try socketAddress(text.text)
            if let plain = address.mapped {
                throw ValueProblem("is the IPv4 address \(plain) written as IPv6")
            }
            guard case .unix(let path) = address else { return address }
            return try socketAddress("unix:\(text.located(path))")
        }
    }

    private static func socketAddress(_ text: String) throws(ValueProblem) -> SocketAddress {
        do { return try SocketAddress(text) } catch { throw ValueProblem(error.problem) }
    }
}

extension ScalarForm where Value == PKCS11URI {
    /// A key in hardware. Errors do not show the text, since it may hold a PIN.
    static var keyInHardware: Self {
        ScalarForm(
            "a PKCS #11 URI (RFC 7512)", hidingText: true, making: PKCS11URI.init(_:), problem: \.problem)
    }
}

extension ScalarForm where Value == String {
    /// A web page's origin (RFC 6454 section 6.2), exactly as browsers write it, because bytes are compared.
    package static var origin: Self {
        ScalarForm(
            "an origin as browsers write it: SCHEME://HOST or SCHEME://HOST:PORT in lower case, without a path"
        ) { (text) throws(ValueProblem) in
            try WebOrigin.check(text.text)
            return text.text
        }
    }

    /// The name of a request header (RFC 9110 section 5.1).
    static var headerName: Self {
        ScalarForm("the name of an HTTP header") { (text) throws(ValueProblem) in
            // Fetch Standard, section 4.9: the wildcard does not cover Authorization.
            guard text.text != "*" else { throw ValueProblem("does not include Authorization") }
            guard HTTPFields([(text.text, "")]) != nil else { throw ValueProblem("is not the name of a header") }
            return text.text
        }
    }
}
