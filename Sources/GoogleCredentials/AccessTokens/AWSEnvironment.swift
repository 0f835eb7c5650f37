import StrictJSON

/// What the environment says about AWS; what it does not say, the instance's metadata says.
struct AWSEnvironment: Sendable {
    /// `AWS_REGION`, or else `AWS_DEFAULT_REGION`; nil if neither is set.
    let region: String?
    /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`; nil unless the first two are set.
    let credentials: AWSSecurityCredentials?

    init(_ environment: [String: String]) throws(AccessTokenError) {
        let value = { (name: String) in environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        region = value("AWS_REGION") ?? value("AWS_DEFAULT_REGION")
        if let region { try Self.check(region, "AWS_REGION") }
        if let id = value("AWS_ACCESS_KEY_ID"), let key = value("AWS_SECRET_ACCESS_KEY") {
            credentials = AWSSecurityCredentials(
                accessKeyID: id, secretAccessKey: Secret(key),
                sessionToken: value("AWS_SESSION_TOKEN").map { Secret($0) })
        } else {
            credentials = nil
        }
    }

    /// A region becomes a part of a host's name.
    private static func check(_ region: String, _ source: String) throws(AccessTokenError) {
        guard isRegion(region) else {
            throw AccessTokenError("\(source) is not a region; expected one such as us-east-1")
        }
    }

    /// Whether the text has the form of a region, such as `us-east-1`.
    static func isRegion(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: byte == UInt8(ascii: "-")
            }
        }
        return isPlain && (1...63).contains(text.utf8.count)
    }
}
