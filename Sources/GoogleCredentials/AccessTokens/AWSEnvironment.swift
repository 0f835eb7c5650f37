import StrictJSON

/// What the environment says about AWS; what it does not say, the instance's metadata says.
struct AWSEnvironment: Sendable {
    /// The variables that are set and not empty.
    typealias Variables = [String: String]

    /// Where security credentials come from, in the order of AWS's own clients.
    enum Source: Sendable {
        /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`, if the first two are set.
        case given(AWSSecurityCredentials)
        case webIdentity(AWSWebIdentity)
        case container(AWSContainer)
        case instance
    }

    /// `AWS_REGION`, or else `AWS_DEFAULT_REGION`; nil if neither is set.
    let region: String?
    let source: Source

    init(_ environment: [String: String]) throws(AccessTokenError) {
        let variables: Variables = environment.filter { !$0.value.isEmpty }
        region = variables["AWS_REGION"] ?? variables["AWS_DEFAULT_REGION"]
        if let region { try Self.check(region, "AWS_REGION") }
        source =
            if let id = variables["AWS_ACCESS_KEY_ID"], let key = variables["AWS_SECRET_ACCESS_KEY"] {
                .given(
                    AWSSecurityCredentials(
                        accessKeyID: id, secretAccessKey: Secret(key),
                        sessionToken: variables["AWS_SESSION_TOKEN"].map { Secret($0) }))
            } else if let identity = try AWSWebIdentity(variables) {
                .webIdentity(identity)
            } else if let container = try AWSContainer(variables) {
                .container(container)
            } else {
                .instance
            }
    }

    /// Whether the instance's metadata says the rest.
    var needsInstance: Bool { if case .instance = source { true } else { region == nil } }

    /// The files that are read for each request, of those that the environment names.
    static func files(_ environment: [String: String]) -> [String] {
        switch (try? AWSEnvironment(environment))?.source {
        case .webIdentity(let identity): [identity.tokenFile]
        case .container(let container): [container.tokenFile].compactMap(\.self)
        case .given, .instance, nil: []
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
