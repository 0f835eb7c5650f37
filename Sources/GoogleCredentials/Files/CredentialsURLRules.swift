import HTTPClient
import OpenSSLSigner

/// Which URLs a credentials file may hold. The author of the file chooses where tokens and secrets are sent, so AIP-4117
/// has its URLs checked.
struct CredentialsURLRules: Sendable {
    /// What a URL is for.
    enum Destination {
        /// Google's token endpoint, which has refresh tokens and assertions.
        case oauth
        /// Google's Security Token Service, which has this machine's subject token.
        case googleSTS
        /// IAM Credentials; `ImpersonationURL` checks the path.
        case iamCredentials
        /// A service that gives this machine a subject token.
        case subjectToken
        /// AWS's instance metadata service, asked for this.
        case awsMetadata(path: String)
        /// AWS's Security Token Service.
        case awsSTS
    }

    /// The domain of Google's APIs, such as `googleapis.com`, in lower case.
    let universeDomain: String
    private let allowedHosts: Set<String>

    /// Rules for the configured domain and the hosts that the configuration allows in addition.
    init(allowedHosts: [String], universeDomain: String) {
        self.allowedHosts = Set(allowedHosts.map { $0.lowercased() })
        self.universeDomain = universeDomain.lowercased()
    }

    /// The URL in this member. Throws if it is missing, not a URL, or leads elsewhere.
    func url(
        _ name: String, of members: CredentialMembers, to destination: Destination
    ) throws(CredentialError) -> OutgoingURL {
        try check(members.text(name), name, members, destination)
    }

    /// The URL in this member; nil if it is missing or null.
    func optionalURL(
        _ name: String, of members: CredentialMembers, to destination: Destination
    ) throws(CredentialError) -> OutgoingURL? {
        guard let text = try members.optionalText(name) else { return nil }
        return try check(text, name, members, destination)
    }

    /// The text as the URL of a member. Throws if it is not a URL, or leads elsewhere.
    func check(
        _ text: String, _ name: String, _ members: CredentialMembers, _ destination: Destination
    ) throws(CredentialError) -> OutgoingURL {
        let url: OutgoingURL
        do { url = try OutgoingURL(plain: text, toHosts: plainHosts(destination)) } catch {
            throw members.error(name, "\(error.problem); expected \(expectation(destination))")
        }
        if allowedHosts.contains(url.host) { return url }
        guard isUsual(url.host, destination) else {
            throw members.error(
                name, "names the host \(url.host), which is not allowed; expected \(expectation(destination))")
        }
        // Any other path of such a host may store what it is sent, as Cloud Storage does.
        guard url.port == (url.isSecure ? 443 : 80), isUsual(target: url.target, destination) else {
            throw members.error(
                name, "names another port or path of \(url.host); expected \(expectation(destination))")
        }
        return url
    }

    /// The link-local addresses of the clouds' metadata services, which have no TLS.
    private static let metadataHosts = ["169.254.169.254", "[fd00:ec2::254]"]
    private static let googleDomain = "googleapis.com"
    private static let awsDomains = ["amazonaws.com", "amazonaws.com.cn"]
    /// The only request to AWS that Google's STS sends on.
    private static let identityQuery = "?Action=GetCallerIdentity&Version=2011-06-15"

    /// Whether the domain is the usual one.
    var isGoogleUniverse: Bool { universeDomain == Self.googleDomain }

    private var googleDomains: [String] {
        isGoogleUniverse ? [universeDomain] : [Self.googleDomain, universeDomain]
    }

    private func plainHosts(_ destination: Destination) -> [String] {
        switch destination {
        case .oauth, .googleSTS, .iamCredentials, .awsSTS: []
        // Azure's metadata service has the same address, but only AWS's form of the file implies it.
        case .subjectToken: Self.metadataHosts.filter(allowedHosts.contains)
        case .awsMetadata: Self.metadataHosts
        }
    }

    /// Whether a URL for this purpose may have the host, whatever the configuration allows.
    private func isUsual(_ host: String, _ destination: Destination) -> Bool {
        switch destination {
        case .oauth: isGoogle(host, "oauth2")
        case .googleSTS: isGoogle(host, "sts")
        case .iamCredentials: isGoogle(host, "iamcredentials")
        case .subjectToken: googleDomains.contains { host.hasSuffix(".\($0)") }
        case .awsMetadata: Self.metadataHosts.contains(host)
        case .awsSTS: Self.isAWSSTS(host)
        }
    }

    /// Whether a request to such a host may ask for this.
    private func isUsual(target: String, _ destination: Destination) -> Bool {
        switch destination {
        case .oauth: target == "/token"
        case .googleSTS: target == "/v1/token"
        case .iamCredentials, .subjectToken: true
        case .awsMetadata(let path): target == path
        case .awsSTS: target == "/\(Self.identityQuery)"
        }
    }

    private func isGoogle(_ host: String, _ service: String) -> Bool {
        googleDomains.contains { domain in
            guard host.hasSuffix(".\(domain)") else { return false }
            let labels = host.dropLast(domain.utf8.count + 1).split(separator: ".", omittingEmptySubsequences: false)
            return Self.isEndpoint(labels, of: service)
        }
    }

    /// The hosts that Google's own clients accept and its pages name: one for all places, its mTLS form, those of one place, and
    /// those of Private Service Connect, whose names customers choose. Any other may be anybody's: `BUCKET.storage.googleapis.com`.
    private static func isEndpoint(_ labels: [Substring], of service: String) -> Bool {
        let (first, rest) = (labels[0], labels.dropFirst())
        switch (first == service, rest.count) {
        case (true, 0): return true
        case (true, 1): return rest == ["mtls"] || isPlace(labels[1])
        case (true, 2): return isPlace(labels[1]) && labels[2] == "rep"
        case (false, 0): return first.hasSuffix("-\(service)") && isPlace(first.dropLast(service.utf8.count + 1))
        case (false, 1) where rest == ["p"]: return first.hasPrefix("\(service)-")
        case (false, 1): return labels[1] == service && isPlace(first)
        default: return false
        }
    }

    /// A region, such as `europe-west1`, or one of the multi-regions.
    private static func isPlace(_ label: Substring) -> Bool {
        guard !["eu", "us"].contains(label) else { return true }
        let (area, place) = (label.prefix { $0 != "-" }, label.drop { $0 != "-" }.dropFirst())
        let name = place.prefix { $0.isLetter }
        let number = place.dropFirst(name.count)
        return !area.isEmpty && area.allSatisfy(\.isLetter) && !name.isEmpty && !number.isEmpty
            && number.allSatisfy(\.isWholeNumber)
    }

    /// `sts.amazonaws.com`, or an address of one region, which may be a FIPS one.
    private static func isAWSSTS(_ host: String) -> Bool {
        let labels = host.split(separator: ".")
        guard let service = labels.first, ["sts", "sts-fips"].contains(service) else { return false }
        return [1, 2].contains { awsDomains.contains(labels.dropFirst($0).joined(separator: ".")) }
    }

    private func expectation(_ destination: Destination) -> String {
        let usual =
            switch destination {
            case .oauth: "https://oauth2.\(universeDomain)/token"
            case .googleSTS: "https://sts[.REGION].\(universeDomain)/v1/token"
            case .iamCredentials: "https://iamcredentials[.REGION].\(universeDomain)\(ImpersonationURL.form)"
            case .subjectToken: "https to \(googleDomains.map { "*.\($0)" }.joined(separator: ", "))"
            case .awsMetadata(let path):
                Self.metadataHosts.map { "http://\($0)\(path)" }.joined(separator: " or ")
            case .awsSTS: "https://sts.{region}.amazonaws.com\(Self.identityQuery)"
            }
        return "\(usual), or a host in credentials_allowed_hosts"
    }
}
