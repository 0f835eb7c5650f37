import HTTPClient
import OpenSSLSigner

/// Which URLs a credentials file may hold. The author of the file chooses where tokens and secrets are sent, so AIP-4117
/// has its URLs checked.
struct CredentialsURLRules: Sendable {
    /// What a URL is for.
    enum Destination {
        /// A Google API.
        case google
        /// A service that has this machine's subject token.
        case subjectToken
        /// AWS's instance metadata service.
        case awsMetadata
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

    /// The URL in this member. Throws if it is missing, not a URL, or its host is not allowed.
    func url(
        _ name: String, of members: CredentialMembers, to destination: Destination = .google
    ) throws(CredentialError) -> OutgoingURL {
        try check(members.text(name), name, members, destination)
    }

    /// The URL in this member; nil if it is missing or null.
    func optionalURL(
        _ name: String, of members: CredentialMembers, to destination: Destination = .google
    ) throws(CredentialError) -> OutgoingURL? {
        guard let text = try members.optionalText(name) else { return nil }
        return try check(text, name, members, destination)
    }

    /// The text as the URL of a member. Throws if it is not a URL, or its host is not allowed.
    func check(
        _ text: String, _ name: String, _ members: CredentialMembers, _ destination: Destination
    ) throws(CredentialError) -> OutgoingURL {
        let url: OutgoingURL
        do {
            url = try OutgoingURL(plain: text, toHosts: plainHosts(destination))
        } catch {
            throw members.error(name, "\(error.problem); expected \(expectation(destination))")
        }
        guard allowedHosts.contains(url.host) || isUsual(url.host, destination) else {
            throw members.error(
                name, "names the host \(url.host), which is not allowed; expected \(expectation(destination))")
        }
        return url
    }
}

extension CredentialsURLRules {
    /// The link-local addresses of the clouds' metadata services, which have no TLS.
    private static let metadataHosts = ["169.254.169.254", "[fd00:ec2::254]"]
    private static let googleDomain = "googleapis.com"
    private static let awsDomains = ["amazonaws.com", "amazonaws.com.cn"]

    /// Whether the domain is the usual one.
    var isGoogleUniverse: Bool { universeDomain == Self.googleDomain }

    private var googleDomains: [String] {
        isGoogleUniverse ? [universeDomain] : [Self.googleDomain, universeDomain]
    }

    private func plainHosts(_ destination: Destination) -> [String] {
        switch destination {
        case .google, .awsSTS: []
        // Azure's metadata service has the same address, but only AWS's form of the file implies it.
        case .subjectToken: Self.metadataHosts.filter(allowedHosts.contains)
        case .awsMetadata: Self.metadataHosts
        }
    }

    /// Whether a URL for this purpose may have the host, whatever the configuration allows.
    private func isUsual(_ host: String, _ destination: Destination) -> Bool {
        switch destination {
        case .google, .subjectToken: googleDomains.contains { host.hasSuffix(".\($0)") }
        case .awsMetadata: Self.metadataHosts.contains(host)
        case .awsSTS: Self.isAWSSTS(host)
        }
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
            case .google, .subjectToken: "https to \(googleDomains.map { "*.\($0)" }.joined(separator: ", "))"
            case .awsMetadata: "http to \(Self.metadataHosts.joined(separator: " or "))"
            case .awsSTS: "https to sts.{region}.amazonaws.com"
            }
        return "\(usual), or a host in credentials_allowed_hosts"
    }
}
