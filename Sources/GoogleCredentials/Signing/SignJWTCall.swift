import FleetEngineToken
import HTTPClient
import StrictJSON

/// Requests to IAM Credentials `signJwt` for one account (FleetEngineContract.md, "Remote signing").
struct SignJWTCall: Sendable {
    /// A token of our size is an eighth of this.
    private static let maxAnswerBytes = 65_536
    private static let connectLimit = Duration.seconds(3)

    /// The account whose key signs.
    let account: ServiceAccountName
    /// The accounts of the delegation chain, in order.
    let delegates: [ServiceAccountName]
    let url: OutgoingURL
    /// Who asks.
    private let caller: IAMMember
    private let project: QuotaProject?

    /// `base` is usually `https://iamcredentials.googleapis.com`.
    init(
        account: String, delegates: [String], base: OutgoingURL, caller: IAMMember, project: QuotaProject?
    ) throws(RemoteSigningError) {
        (self.caller, self.project) = (caller, project)
        self.account = try ServiceAccountName(account)
        var names: [ServiceAccountName] = []
        for delegate in delegates { names.append(try ServiceAccountName(delegate)) }
        self.delegates = names
        // Google's clients do not encode the "@" either.
        url = try base.appending("/v1/\(self.account.resource):signJwt", setting: "google.iam_credentials")
    }

    /// The body that asks for these claims, which are sent as a JSON string.
    func body(_ claims: [UInt8]) -> [UInt8] {
        var json = JSONWriter(reserving: 2 * claims.count + 64)
        json.object { json in
            json.key("payload")
            json.value(compactJSON: claims)
            guard !delegates.isEmpty else { return }
            json.key("delegates")
            json.array { json in
                for delegate in delegates { json.value(delegate.resource) }
            }
        }
        return json.bytes
    }

    /// A request with this access token and time limit.
    func request(
        _ body: [UInt8], _ token: Secret, limit: Duration
    ) throws(RemoteSigningError) -> HTTPClientRequest {
        let limits = HTTPClientLimits(
            connectTimeout: min(limit, Self.connectLimit), totalTimeout: limit, maxBodyBytes: Self.maxAnswerBytes)
        do throws(HTTPClientFieldError) {
            return HTTPClientRequest(url: url, method: .post(body), fields: try fields(token), limits: limits)
        } catch {
            // The error holds the header's name, never its value.
            throw RemoteSigningError(
                reason: "the access token cannot be sent: \(error.sentence)", retryAfter: nil, .diagnose)
        }
    }

    private func fields(_ token: Secret) throws(HTTPClientFieldError) -> [HTTPClientField] {
        var fields = [
            try HTTPClientField("authorization", "Bearer \(token.value)"),
            HTTPClientField(constant: "content-type", "application/json"),
            HTTPClientField(constant: "accept", "application/json"),
        ]
        if let project { fields.append(project.field) }
        return fields
    }

    /// What to do about an answer with this status other than 200; nil is an answer without Google's error object.
    func remedy(_ google: GoogleAPIError?, _ status: Int) -> Remedy {
        guard let google else { return Self.endpointRemedy }
        return RefusedCall.signing(as: account.email, delegates.map(\.email), by: caller, project: project?.id)
            .remedy(google.refusal(status))
    }

    /// What to do about a token in an answer that is not used.
    func remedy(_ error: SignedJWTError) -> Remedy {
        error == .badSignature ? PublishedKeysProbe.unpublished(account.email, isLocal: false) : Self.endpointRemedy
    }

    private static let endpointRemedy = Remedy("set google.iam_credentials to IAM Credentials, or remove it")
}

/// A service account as IAM Credentials names it; valid once it exists.
struct ServiceAccountName: Hashable, Sendable {
    private static let resourcePrefix = "projects/-/serviceAccounts/"

    let email: String

    /// Throws unless the text is the account's e-mail address, or its resource name, as delegates may be written.
    init(_ text: String) throws(RemoteSigningError) {
        let email = text.hasPrefix(Self.resourcePrefix) ? text.dropFirst(Self.resourcePrefix.count) : text[...]
        guard let valid = ServiceAccountEmail(String(email)) else {
            throw RemoteSigningError(
                reason: "the account \(ReceivedText.quoted(text)) is not a service account's e-mail address; "
                    + "expected NAME@PROJECT.iam.gserviceaccount.com", retryAfter: nil,
                Remedy("correct the account in sign_as or delegates"))
        }
        self.email = valid.text
    }

    /// The account's resource name with the wildcard that IAM Credentials requires for the project.
    var resource: String { Self.resourcePrefix + email }
}
