import Testing

@testable import GoogleCredentials

struct GcloudCommandTests {
    @Test(arguments: [
        ("a@my-fleet.iam.gserviceaccount.com", " --project=my-fleet"),
        ("my-fleet@appspot.gserviceaccount.com", " --project=my-fleet"),
        ("a@fleet.example.com.iam.gserviceaccount.com", " --project=example.com:fleet"),
        ("1-compute@developer.gserviceaccount.com", ""), ("a@example.com", ""), ("a", ""),
    ])
    func `the project comes from the account's domain`(account: String, flag: String) {
        #expect(GcloudCommand.enableAccount(account) == "gcloud iam service-accounts enable \(account)\(flag)")
    }

    @Test(arguments: [
        (
            "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q",
            "workload-identity-pools providers describe projects/1/locations/global/workloadIdentityPools/p/providers/q"
        ),
        (
            "//iam.googleapis.com/locations/global/workforcePools/p/providers/q",
            "workforce-pools providers describe locations/global/workforcePools/p/providers/q"
        ),
        ("//iam.googleapis.com/projects/1/$(x)/providers/q", nil), ("https://example.com", nil), ("", nil),
    ])
    func `an audience of a pool shows its provider`(audience: String, command: String?) throws {
        let account = ExternalAccount(
            audience: audience, subjectTokenType: "t", tokenURL: try .init("https://sts.googleapis.com/v1/token"),
            source: .file(path: "f", .text), impersonation: nil, client: nil, workforceUserProject: nil,
            quotaProject: nil)
        #expect(IdentityProvider(account)?.description == command.map { "gcloud iam \($0)" })
    }
}
