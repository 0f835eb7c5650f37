import HTTPClient
import OpenSSLCrypto
import StrictJSON

/// What AWS gives a program to sign its requests with.
struct AWSSecurityCredentials: Sendable {
    let accessKeyID: String
    let secretAccessKey: Secret
    /// Nil for a user's own keys, which are not temporary.
    let sessionToken: Secret?
}

/// A request without a body as Signature Version 4 signs it (AWS General Reference, "Signature Version 4 signing process").
struct AWSSignature {
    let credentials: AWSSecurityCredentials
    let region: String
    /// Such as `sts`.
    let service: String
    /// In seconds since the epoch.
    let time: Int64

    /// All fields of the request, sorted by their names: the given ones in lower case, those that signing adds, and
    /// `Authorization`, which comes first.
    func fields(
        signing method: String, _ url: OutgoingURL, _ given: [(name: String, value: String)]
    ) throws(OpenSSLFailure) -> [(name: String, value: String)] {
        var fields = given + [("host", url.host), ("x-amz-date", moment)]
        if let token = credentials.sessionToken { fields.append(("x-amz-security-token", token.value)) }
        fields.sort { $0.name < $1.name }
        let names = fields.map(\.name).joined(separator: ";")
        let signature = try signature(of: canonicalRequest(method, url, fields, names))
        let authorization =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope), SignedHeaders=\(names), "
            + "Signature=\(signature)"
        return [("Authorization", authorization)] + fields
    }

    private func canonicalRequest(
        _ method: String, _ url: OutgoingURL, _ fields: [(name: String, value: String)], _ names: String
    ) -> String {
        let target = url.text.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" && $0 != "?" }
        let path = target.prefix { $0 != "?" }
        return [
            method, path.isEmpty ? "/" : String(path), Self.canonicalQuery(target.dropFirst(path.count + 1)),
            fields.map { "\($0.name):\($0.value)\n" }.joined(), names, Self.hexDigest(""),
        ].joined(separator: "\n")
    }

    /// The parameters, encoded alike and sorted by name and value.
    private static func canonicalQuery(_ query: Substring) -> String {
        let pairs = query.split(separator: "&").map { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (canonical(parts[0]), parts.count > 1 ? canonical(parts[1]) : "")
        }
        return pairs.sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    private static func canonical(_ text: Substring) -> String {
        // A malformed encoding stays; OutgoingURL refuses URLs with one.
        PercentEncoding.encode(PercentEncoding.decode(Array(text.utf8)) ?? Array(text.utf8))
    }

    private func signature(of request: String) throws(OpenSSLFailure) -> String {
        var key = Array("AWS4\(credentials.secretAccessKey.value)".utf8)
        for part in [date, region, service, "aws4_request"] { key = try HMACSHA256.code(of: part, key: key) }
        let text = "AWS4-HMAC-SHA256\n\(moment)\n\(scope)\n\(Self.hexDigest(request))"
        let code = try HMACSHA256.code(of: text, key: key)
        return HexadecimalDigit.text(of: code.span)
    }

    private static func hexDigest(_ text: String) -> String {
        let digest = SHA256Digest(of: Array(text.utf8)).bytes
        return HexadecimalDigit.text(of: digest.span)
    }

    private var scope: String { "\(date)/\(region)/\(service)/aws4_request" }

    private var date: String { String(moment.prefix(8)) }

    /// The time as AWS writes it, such as `20150830T123600Z`.
    private var moment: String { CivilTime(clamping: time).rfc3339.filter { $0 != "-" && $0 != ":" } }
}
