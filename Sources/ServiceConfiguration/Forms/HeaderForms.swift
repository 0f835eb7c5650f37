import HTTPServer

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
