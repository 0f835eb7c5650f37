import FleetEngineToken
import Testing

@testable import GoogleCredentials
@testable import HTTPClient

/// What operators do about a signature that Google did not make, by its reason.
struct SigningRemedyTests {
    typealias Reply = LoopbackGoogle.Reply

    private func remedy(_ reply: Reply, keys: Reply = .sign, delegates: [String] = []) throws -> Remedy {
        let bench = try SigningBench(delegates: delegates)
        bench.google.reply(reply, reply, reply, reply)
        bench.google.replyKeys(keys)
        return try #require(bench.error()).remedy
    }

    private static func refusal(_ status: Int, _ name: String, _ reason: String? = nil) -> Reply {
        .answer(
            status: status,
            body: RemoteSignerTests.error(status, name, reason.map(RemoteSignerTests.reason) ?? ""))
    }

    private static let denied = refusal(403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED")
    private static let refusals: [(GoogleRefusal.Cause, Reply, cure: String)] = [
        (.permission, denied, "grant the person who logged in the role roles/iam.serviceAccountTokenCreator"),
        (.disabledAPI, refusal(403, "PERMISSION_DENIED", "SERVICE_DISABLED"), "enable the API iamcredentials"),
        (.scope, refusal(403, "PERMISSION_DENIED", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"), "give the machine the scope"),
        (.credentials, refusal(401, "UNAUTHENTICATED"), "set this machine's clock if it is wrong"),
        (.disabledAccount, refusal(403, "PERMISSION_DENIED", "ACCOUNT_STATE_INVALID"), "set this machine's clock"),
        (.missing, refusal(404, "NOT_FOUND"), "correct the account's name (sign_as), or create"),
        (.quota, refusal(429, "RESOURCE_EXHAUSTED"), "ask Google for a higher quota"),
        (.billing, refusal(403, "PERMISSION_DENIED", "BILLING_DISABLED"), "give the project 42 a billing account"),
        (.project, refusal(403, "PERMISSION_DENIED", "CONSUMER_SUSPENDED"), "restore the project 42"),
        (.userProject, refusal(403, "PERMISSION_DENIED", "USER_PROJECT_DENIED"), "grant the person who logged in"),
        (.perimeter, refusal(403, "PERMISSION_DENIED", "SECURITY_POLICY_VIOLATED"), "allow the call in the service"),
        (.outage, refusal(503, "UNAVAILABLE"), "wait a minute; Google's status"),
        (.other, refusal(400, "INVALID_ARGUMENT"), "do what Google's answer says"),
    ]

    @Test func `each refusal of Google has its cure`() throws {
        #expect(Set(Self.refusals.map(\.0)) == Set(GoogleRefusal.Cause.allCases))
        for (cause, reply, cure) in Self.refusals {
            let found = try remedy(reply)
            #expect(found.cure.hasPrefix(cure), "\(cause): \(found)")
        }
    }

    @Test func `causes of refusals share no cure`() {
        let call = RefusedCall.signing(as: "a@b.test", [], by: .serviceAccount("c@b.test"))
        let cures = GoogleRefusal.Cause.allCases.map { cause in
            call.remedy(GoogleRefusal(cause: cause, project: "1", service: nil, account: "d@b.test")).cure
        }
        #expect(Set(cures).count == cures.count)
    }

    private static let others: [(Reply, cure: String)] = [
        (.failure(.unresolved), "let this machine's DNS resolver find"),
        (.failure(.cannotConnect(reason: "refused")), "open the way to"),
        (.failure(.tls(reason: "handshake")), "stop what intercepts TLS"),
        (.failure(.timeout(.answering, after: .seconds(3))), "wait a minute; if this stays, ask who runs the network"),
        (.failure(.redirect(reason: "no")), "set the endpoints in google"),
        (.answer(status: 500, body: "<html>"), "set google.iam_credentials to IAM Credentials"),
        (.answer(status: 200, body: "{}"), "set google.iam_credentials to IAM Credentials"),
        (.signing(.init(alg: "none")), "set google.iam_credentials to IAM Credentials"),
        (.signing(.init(key: 1)), "wait a minute; if this stays, set google.iam_credentials and google.keys"),
        (.signing(.init(kid: "key-1", keyID: "key-1", key: 1)), "wait a minute; if this stays, set google.iam_cred"),
    ]

    @Test(arguments: others.indices)
    func `each other reason has its cure`(index: Int) throws {
        let found = try remedy(Self.others[index].0)
        #expect(found.cure.hasPrefix(Self.others[index].cure), "\(found)")
    }

    @Test func `published keys that are away have the cure of their reason`() throws {
        #expect(try remedy(Self.denied, keys: .answer(status: 404, body: "{}")).cure.hasPrefix("correct the account's"))
        #expect(try remedy(.sign, keys: .answer(status: 404, body: "{}")).cure.hasPrefix("correct the account's name"))
        #expect(try remedy(.sign, keys: .failure(.unresolved)).cure.hasPrefix("let this machine's DNS resolver"))
        #expect(try remedy(.sign, keys: .answer(status: 200, body: "[]")).cure.hasPrefix("set google.keys"))
    }

    @Test func `a pause has the reason and cure of its failed calls`() throws {
        let bench = try SigningBench()
        for _ in 0..<CircuitBreaker.minCalls { bench.google.reply(.failure(.tooLarge(part: "a body", limit: 9))) }
        for _ in 0..<CircuitBreaker.minCalls { _ = bench.error(after: .zero) }
        let error = try #require(bench.error(after: .zero))
        #expect(error.reason.hasPrefix("remote signing is paused, since too many calls failed: no signature: "))
        #expect(error.remedy.cure.hasPrefix("set the endpoints in google"))
    }

    @Test func `limits of the daemon itself have their cures`() throws {
        let full = try SigningBench(maxInFlight: 1)
        full.google.reply(.hold)
        _ = full.begin()
        #expect(full.error(after: .zero)?.remedy == .awaitSignatures)
        let silent = try SigningBench()
        silent.tokens.fallSilent()
        #expect(silent.error()?.remedy == .awaitSignatures)
        let poor = try SigningBench(perMinute: 7)
        _ = poor.outcome(after: .zero)
        let error = try #require(poor.error(after: .zero))
        #expect(error.remedy.cure.hasPrefix("raise signing.quota"), "\(error)")
    }
}
