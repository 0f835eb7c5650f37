import Concurrency
import FleetEngineToken
import StrictJSON
import TestSupport
import Testing

@testable import GoogleCredentials
@testable import HTTPClient

/// What doctor says about each refusal of `signJwt`. The answers have the form that Google documents (AIP-193,
/// google/api/error_reason.proto; issues of google-github-actions/auth show those of IAM).
struct SigningProbeTests {
    private static let account = LoopbackGoogle.account
    private static let robot = IAMMember.serviceAccount("robot@my-fleet.iam.gserviceaccount.com")
    private static let project = "--project=my-fleet"

    /// The failure of one call that is answered so.
    private func failure(
        _ reply: LoopbackGoogle.Reply, delegates: [String] = [], by caller: IAMMember = robot,
        in project: String? = nil
    ) throws -> SigningProbe.Failure {
        let google = try LoopbackGoogle()
        google.reply(reply)
        let probe = try SigningProbe(
            account: Self.account, delegates: delegates,
            endpoint: OutgoingURL("https://iamcredentials.googleapis.com"),
            token: AccessToken(value: Secret("ya29.canary"), expiresAt: 1_800_003_600), caller: caller,
            project: project.flatMap(QuotaProject.init), send: google.send)
        let result = try #require(
            InlineExecutor.run {
                await Result(awaiting: { () throws(RemoteSigningError) in
                    try await probe.sign(SigningBench.claims, .request)
                })
            })
        #expect(google.requests.count == 1)
        let failure = try #require(probe.failure)
        let error = RemoteSigningError(reason: failure.failure.detail, retryAfter: nil, failure.failure.remedy)
        #expect(throws: error) { try result.get() }
        #expect(!"\(failure)".contains("canary"))
        return failure
    }

    /// Google's error object with this reason and metadata.
    private static func error(
        _ code: Int, _ status: String, _ reason: String? = nil, _ metadata: [String: String] = [:],
        message: String = "no"
    ) -> LoopbackGoogle.Reply {
        var json = JSONWriter()
        json.object { json in
            json.key("error")
            json.object { json in
                json.member("code", Int64(code))
                json.member("message", message)
                json.member("status", status)
                guard let reason else { return }
                json.key("details")
                json.array { json in
                    json.object { json in
                        json.member("@type", "type.googleapis.com/google.rpc.ErrorInfo")
                        json.member("reason", reason)
                        json.member("domain", "googleapis.com")
                        json.key("metadata")
                        json.object { json in
                            for (name, value) in metadata { json.member(name, value) }
                        }
                    }
                }
            }
        }
        return .answer(status: code, body: String(decoding: json.bytes, as: UTF8.self))
    }

    private static let denied = error(
        403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED", ["permission": "iam.serviceAccounts.signJwt"])

    @Test func `a missing role names the exact binding`() throws {
        let failure = try failure(Self.denied)
        #expect(failure.mayMeanMissingAccount)
        #expect(
            failure.failure.detail
                == "iamcredentials.googleapis.com:443 made no signature as \(Self.account) "
                + #"(403 IAM_PERMISSION_DENIED: "no")"#
        )
        #expect(
            failure.failure.remedy.commands == [
                "gcloud iam service-accounts add-iam-policy-binding \(Self.account) "
                    + "--role=roles/iam.serviceAccountTokenCreator "
                    + "--member=serviceAccount:robot@my-fleet.iam.gserviceaccount.com \(Self.project)"
            ])
    }

    @Test(arguments: [
        (IAMMember.person, #"--member="user:$(gcloud config get-value account)""#),
        (.machine, "serviceAccount:MACHINE"),
        (
            .federated(pool: "projects/1/locations/global/workloadIdentityPools/p"),
            "principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/subject/SUBJECT"
        ),
    ])
    func `the binding names who asks`(caller: IAMMember, member: String) throws {
        let commands = try failure(Self.denied, by: caller).failure.remedy.commands
        #expect(commands.count == 1 && commands[0].contains(member), "\(commands)")
    }

    @Test func `a chain of delegates needs a binding for each link`() throws {
        let commands = try failure(Self.denied, delegates: ["one@a.test", "two@a.test"]).failure.remedy.commands
        let links = commands.map { command in
            command.split(separator: " ").filter { $0.contains("@") }.joined(separator: " ")
        }
        #expect(
            links == [
                "one@a.test --member=serviceAccount:robot@my-fleet.iam.gserviceaccount.com",
                "two@a.test --member=serviceAccount:one@a.test", "\(Self.account) --member=serviceAccount:two@a.test",
            ])
    }

    @Test(arguments: [
        (
            error(
                403, "PERMISSION_DENIED", "SERVICE_DISABLED",
                ["consumer": "projects/42", "service": "iamcredentials.googleapis.com"]),
            "gcloud services enable iamcredentials.googleapis.com --project=42"
        ),
        (
            error(403, "PERMISSION_DENIED", "SERVICE_DISABLED", ["consumer": "$(x)", "service": "a b"]),
            "gcloud services enable iamcredentials.googleapis.com --project=PROJECT"
        ),
        (
            error(403, "PERMISSION_DENIED", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"),
            "gcloud compute instances set-service-account INSTANCE --scopes=cloud-platform"
        ),
        (
            error(401, "UNAUTHENTICATED", "ACCOUNT_STATE_INVALID", ["email": "off@my-fleet.iam.gserviceaccount.com"]),
            "gcloud iam service-accounts enable off@my-fleet.iam.gserviceaccount.com --project=my-fleet"
        ),
        (
            error(401, "UNAUTHENTICATED", "ACCOUNT_STATE_INVALID", ["email": "$(x)@a"]),
            "gcloud iam service-accounts enable robot@my-fleet.iam.gserviceaccount.com --project=my-fleet"
        ),
        (error(404, "NOT_FOUND"), "gcloud iam service-accounts create driver-tokens --project=my-fleet"),
        (
            error(403, "PERMISSION_DENIED", "BILLING_DISABLED", ["consumer": "projects/42"]),
            "gcloud billing projects describe 42"
        ),
        (
            error(403, "PERMISSION_DENIED", "CONSUMER_INVALID", ["consumer": "projects/42"]),
            "gcloud projects describe 42"
        ),
        (
            error(403, "PERMISSION_DENIED", "USER_PROJECT_DENIED", ["consumer": "projects/42"]),
            "gcloud projects add-iam-policy-binding 42 --role=roles/serviceusage.serviceUsageConsumer "
                + "--member=serviceAccount:robot@my-fleet.iam.gserviceaccount.com"
        ),
        (
            error(403, "PERMISSION_DENIED", "SECURITY_POLICY_VIOLATED", ["consumer": "projects/42"]),
            "gcloud access-context-manager perimeters list --policy=POLICY"
        ),
    ])
    func `each reason has its command`(reply: LoopbackGoogle.Reply, command: String) throws {
        let failure = try failure(reply)
        #expect(failure.failure.remedy.commands.last == command)
        #expect(!failure.mayMeanMissingAccount && !failure.failure.isOutage)
    }

    @Test(arguments: [
        (error(401, "UNAUTHENTICATED", "ACCESS_TOKEN_EXPIRED"), "get new credentials"),
        (error(429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED"), "signing.quota_share"),
        (error(503, "UNAVAILABLE"), "wait a minute; Google"), (error(400, "FAILED_PRECONDITION"), "Google's answer"),
        (.answer(status: 502, body: "<html>"), "google.iam_credentials"),
        (.signing(.init(alg: "none")), "google.iam_credentials"),
    ])
    func `other failures have a cure without a command`(reply: LoopbackGoogle.Reply, cure: String) throws {
        let remedy = try failure(reply).failure.remedy
        #expect(remedy.cure.contains(cure), "\(remedy.cure)")
        #expect(remedy.commands.isEmpty)
    }

    @Test func `a refused project is the one that the credentials name`() throws {
        let reply = Self.error(403, "PERMISSION_DENIED", "USER_PROJECT_DENIED")
        let command = try #require(try failure(reply, in: "charged").failure.remedy.commands.first)
        #expect(command.hasPrefix("gcloud projects add-iam-policy-binding charged --role=roles/serviceusage."))
    }

    @Test func `a person whose token is refused logs in again`() throws {
        let remedy = try failure(Self.error(401, "UNAUTHENTICATED"), by: .person).failure.remedy
        #expect(remedy.commands == ["gcloud auth application-default login"])
    }

    @Test(arguments: [
        (HTTPClientError.Cause.unresolved, "DNS", "getent hosts"),
        (.timeout(.resolving, after: .seconds(3)), "DNS", "getent hosts"),
        (.cannotConnect(reason: "Connection refused"), "firewalls", "curl -v"),
        (.timeout(.connecting, after: .seconds(3)), "firewalls", "curl -v"),
        (.tls(reason: "self-signed certificate"), "TLS", "curl -v"),
        (.timeout(.securing, after: .seconds(3)), "TLS", "curl -v"),
    ])
    func `an outage names what could not be reached`(cause: HTTPClientError.Cause, cure: String, command: String) throws
    {
        let failure = try failure(.failure(cause)).failure
        #expect(failure.isOutage)
        #expect(failure.detail.hasPrefix("iamcredentials.googleapis.com:443 cannot be reached"))
        #expect(failure.remedy.cure.contains(cure) && failure.remedy.commands[0].hasPrefix(command))
        #expect(failure.remedy.commands[0].contains("iamcredentials.googleapis.com"))
    }

    @Test(arguments: ["ya29.canary is bad", "Bearer eyJcanary"])
    func `a message with a secret is hidden`(message: String) throws {
        let failure = try failure(Self.error(400, "INVALID_ARGUMENT", message: message))
        #expect(failure.failure.detail.hasSuffix(#"(400 INVALID_ARGUMENT: "(hidden)")"#))
    }
}
