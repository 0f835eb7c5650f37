import TestSupport
import Foundation
import Testing

/// `token-provider doctor` against a Google on loopback.
@Suite(.blocking) struct DoctorTests {
    private static let names = [
        "service_account", "authorized_user", "external_file_text", "external_file_json", "external_url_text",
        "external_url_json", "external_client", "external_impersonated", "impersonated_user", "aws_instance",
        "aws_instance_impersonated",
    ]
    private static let project = ["--project", "my-fleet"]
    /// Parts of access tokens, tokens, keys, and of what the loopback Google's files hold.
    private static let secrets = ["ya29.", "eyJ", "PRIVATE KEY", "refresh-token-canary", "client-secret-canary"]

    let scratch: Scratch
    let google: LoopbackGoogle

    init() throws {
        scratch = try Scratch()
        google = try LoopbackGoogle(in: scratch)
    }

    private func run(
        _ credentials: String, signAs: String? = KeylessTests.driver, kinds: String = "[driver]",
        _ arguments: [String] = project, environment: [String: String] = [:]
    ) throws -> Outcome {
        let account = signAs.map { "sign_as: \($0)\n" } ?? ""
        return try run(
            settings: "credentials: \(credentials)\n\(account)kinds: {enabled: \(kinds)}\n", arguments,
            environment: environment)
    }

    private func run(settings: String, _ arguments: [String], environment: [String: String]) throws -> Outcome {
        let config = try scratch.write("doctor.yaml", settings + google.settings)
        let clean = ["HOME": scratch.path("home"), "CLOUDSDK_CONFIG": "", "AWS_REGION": "eu-central-1"]
        let outcome = try Program.refusal(
            ["doctor", "--config", config] + arguments, environment: clean.merging(environment) { $1 })
        for secret in Self.secrets {
            #expect(!outcome.output.contains(secret) && !outcome.errors.contains(secret), "\(secret) in \(outcome)")
        }
        return outcome
    }

    /// The report for programs.
    private func diagnose(
        _ credentials: String, signAs: String? = KeylessTests.driver, kinds: String = "[driver]",
        _ arguments: [String] = project, environment: [String: String] = [:]
    ) throws -> Diagnosis {
        let outcome = try run(
            credentials, signAs: signAs, kinds: kinds, arguments + ["--json"], environment: environment)
        return try Diagnosis(outcome)
    }

    private func file(_ name: String) throws -> String { try #require(google.files[name]) }

    @Test func `every type of credentials is well`() throws {
        for name in Self.names {
            let diagnosis = try diagnose(file(name))
            #expect(diagnosis.status == 0 && diagnosis.isHealthy, "\(name): \(diagnosis.text)")
            #expect(diagnosis.outcomes() == Diagnosis.allWell, "\(name): \(diagnosis.text)")
            #expect(try diagnosis.detail("credentials").contains("\(name).json"))
            #expect(try diagnosis.detail("account").hasPrefix("\(KeylessTests.driver), by sign_as in "))
        }
    }

    @Test func `six kinds are examined at once, without waiting for threads`() throws {
        let kinds =
            "[consumer, driver, untrusted_delivery_driver, trusted_delivery_driver, delivery_consumer, task_batch]"
        let start = ContinuousClock.now
        let diagnosis = try diagnose(file("service_account"), kinds: kinds)
        #expect(diagnosis.status == 0, "\(diagnosis.text)")
        // Threads that come one each second take 4 s at least.
        #expect(ContinuousClock.now - start < .seconds(3))
    }

    @Test func `a metadata server is well, with and without sign_as`() throws {
        let environment = ["GCE_METADATA_HOST": google.host]
        let machine = "token-provider@my-fleet.iam.gserviceaccount.com"
        for signAs in [KeylessTests.driver, nil] {
            let diagnosis = try diagnose(
                "application_default", signAs: signAs, [], environment: environment)
            #expect(diagnosis.status == 0, "\(diagnosis.text)")
            #expect(try diagnosis.detail("credentials").hasPrefix("the metadata server (\(google.host)), found by"))
            #expect(try diagnosis.detail("account").contains("asked by \(machine)"))
            #expect(diagnosis.account == signAs ?? machine)
            #expect(diagnosis.outcomes()["fleet_engine"] == "skipped")
        }
    }

    @Test func `a local key is compared with the published ones`() throws {
        let key = try file("service_account")
        let diagnosis = try diagnose(key, signAs: nil)
        #expect(diagnosis.status == 0, "\(diagnosis.text)")
        #expect(diagnosis.outcomes() == Diagnosis.allWell.merging(["access_token": "skipped"]) { $1 })
        #expect(try google.requests("signJwt") == 0)
        try google.rotate("key-holder@my-fleet.iam.gserviceaccount.com", keepingOld: false)
        let rotated = try diagnose(key, signAs: nil)
        #expect(rotated.status == 1)
        #expect(try rotated.detail("published_keys").contains("has no key"))
        #expect(try rotated.commands("published_keys")[0].hasPrefix("gcloud iam service-accounts keys list"))
        #expect(try rotated.detail("fleet_engine").contains("refused the token (401"))
    }

    @Test func `a key in hardware is compared with the published ones`() throws {
        let token = try SoftToken(in: scratch)
        let content = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file("service_account"))))
        let key = try #require(content as? [String: String])
        try token.add(pem: #require(key["private_key"]), label: "driver")
        let settings = try token.settings(
            [("driver", "driver")], account: #require(key["client_email"]), keyID: #require(key["private_key_id"]))
        let diagnosis = try Diagnosis(
            run(settings: settings, Self.project + ["--json"], environment: token.environment))
        #expect(diagnosis.status == 0, "\(diagnosis.text)")
        #expect(diagnosis.outcomes() == Diagnosis.allWell.merging(["access_token": "skipped"]) { $1 })
        let place = "pkcs11:token=fleet;object=driver (a key in hardware), named by kinds.driver.key in "
        #expect(try diagnosis.detail("credentials").hasPrefix(place), "\(diagnosis.text)")
    }

    @Test(arguments: [
        (
            "role_removed", "signJwt", "signing",
            "gcloud iam service-accounts add-iam-policy-binding \(KeylessTests.driver) "
                + "--role=roles/iam.serviceAccountTokenCreator "
                + #"--member="user:$(gcloud config get-value account)" --project=my-fleet"#
        ),
        (
            "service_disabled", "signJwt", "signing",
            "gcloud services enable iamcredentials.googleapis.com --project=123456789012"
        ),
        ("account_missing", "", "signing", "gcloud iam service-accounts list --project=my-fleet"),
        (
            "wrong_key", "", "published_keys",
            "gcloud iam service-accounts keys list --iam-account=\(KeylessTests.driver)"
        ),
        ("clock_off", "", "clock", "timedatectl set-ntp true"),
        (
            "service_disabled", "providers", "fleet_engine",
            "gcloud services enable fleetengine.googleapis.com --project=123456789012"
        ),
    ])
    func `a fault fails its step with the command that fixes it`(
        fault: String, path: String, step: String, command: String
    ) throws {
        try google.fail(#"[{"fault": "\#(fault)", "path": "\#(path)", "seconds": 60}]"#)
        let diagnosis = try diagnose(file("authorized_user"))
        #expect(diagnosis.status == 1 && !diagnosis.isHealthy)
        #expect(diagnosis.failed == [step], "\(diagnosis.text)")
        #expect(try diagnosis.commands(step)[0].hasPrefix(command), "\(diagnosis.text)")
        #expect(diagnosis.outcomes()["clock"] == (step == "clock" ? "failed" : "ok"))
        guard step == "signing" else { return }
        #expect(try diagnosis.detail("published_keys") == "needs signing")
        #expect(try diagnosis.detail("fleet_engine") == "needs signing")
        #expect(try google.requests("providers") == 0)
    }

    @Test func `an unreachable Google is named in one sentence`() throws {
        google.stop()
        for (name, step) in [("authorized_user", "access_token"), ("service_account", "published_keys")] {
            let diagnosis = try diagnose(file(name), signAs: name == "service_account" ? nil : KeylessTests.driver)
            #expect(diagnosis.status == 1 && diagnosis.failed == [step], "\(diagnosis.text)")
            #expect(try diagnosis.detail(step) == "\(google.host) cannot be reached: Connection refused")
            #expect(diagnosis.text.ranges(of: "cannot be reached").count == 1)
            #expect(diagnosis.outcomes()["clock"] == "skipped" && diagnosis.outcomes()["fleet_engine"] == "skipped")
        }
    }

    @Test func `Fleet Engine's refusal is explained by the token`() throws {
        let account = "token-provider@my-fleet.iam.gserviceaccount.com"
        let diagnosis = try diagnose(file("authorized_user"), signAs: account)
        #expect(diagnosis.failed == ["fleet_engine"], "\(diagnosis.text)")
        #expect(try diagnosis.detail("fleet_engine").contains("(403 IAM_PERMISSION_DENIED"))
        #expect(
            try diagnosis.detail("fleet_engine").contains("the account needs roles/fleetengine.driverSdkUser"))
        #expect(
            try diagnosis.commands("fleet_engine") == [
                "gcloud projects add-iam-policy-binding my-fleet --role=roles/fleetengine.driverSdkUser "
                    + "--member=serviceAccount:\(account)"
            ])
    }

    @Test func `an ended login and missing credentials have different cures`() throws {
        let text = try String(contentsOfFile: file("authorized_user"), encoding: .utf8)
        let ended = try scratch.write("ended.json", text.replacing("1//refresh-token-canary", with: "1//ended"))
        let login = "gcloud auth application-default login"
        let expired = try diagnose(ended)
        #expect(expired.failed == ["access_token"])
        #expect(try expired.detail("access_token").contains("Token has been expired or revoked."))
        #expect(try expired.commands("access_token") == [login])
        #expect(expired.outcomes()["clock"] == "ok")
        google.stop()
        let none = try diagnose("application_default", environment: ["GCE_METADATA_HOST": google.host])
        #expect(none.failed == ["credentials"])
        #expect(try none.commands("credentials") == [login])
        #expect(try none.detail("signing") == "needs credentials")
    }

    @Test func `the report for people shows kinds of one account together`() throws {
        let well = try run(file("authorized_user"), kinds: "[consumer, driver]")
        #expect(well.status == 0 && well.errors == "", "\(well)")
        #expect(well.output.hasPrefix("consumer, driver\n  ✓ credentials     \(try file("authorized_user")) (auth"))
        #expect(well.output.contains("\n  ✓ fleet_engine    driver: accepted the token: vehicles/doctor-"))
        #expect(well.output.hasSuffix("\n\nAll is well.\n"))
        try google.fail(#"[{"fault": "role_removed"}]"#)
        let ill = try run(file("authorized_user"), kinds: "[consumer, driver]", [])
        #expect(ill.status == 1)
        #expect(ill.output.ranges(of: "add-iam-policy-binding").count == 1, "\(ill.output)")
        #expect(ill.output.contains("\n  ✗ signing "))
        #expect(ill.output.contains("\n  - published_keys  needs signing\n"))
        #expect(ill.output.hasSuffix("\n\n2 of 2 kinds have a problem.\n"))
    }

    @Test func `every kind is asked for at Fleet Engine`() throws {
        let kinds =
            "[consumer, driver, untrusted_delivery_driver, trusted_delivery_driver, delivery_consumer, "
            + "task_batch, server, delivery_server, delivery_fleet_reader, fleet_reader]"
        let diagnosis = try diagnose(file("authorized_user"), kinds: kinds)
        #expect(diagnosis.status == 0 && diagnosis.kinds.count == 10, "\(diagnosis.text)")
        #expect(try google.requests("providers") == 10)
    }

    @Test func `a broken file is a failed step; broken settings are not examined`() throws {
        let broken = try diagnose(scratch.write("broken.json", "{"))
        #expect(broken.status == 1 && broken.failed == ["credentials"])
        #expect(try broken.detail("credentials").contains("broken.json: the file is truncated"))
        let wrong = try run(file("authorized_user"), kinds: "[drivers]")
        #expect(wrong.status == 78 && wrong.errors.contains("kinds.enabled"))
        let misuse = try run(file("authorized_user"), ["--project", "a/b"])
        #expect(misuse.status == 64 && misuse.errors.contains("--project is not a project's id"))
    }
}

/// The report of `doctor --json`.
private struct Diagnosis {
    static let allWell = Dictionary(
        uniqueKeysWithValues: [
            "credentials", "account", "access_token", "signing", "published_keys", "clock", "fleet_engine",
        ].map { ($0, "ok") })

    let status: Int32
    let text: String
    let isHealthy: Bool
    let kinds: [[String: Any]]

    init(_ outcome: Outcome) throws {
        (status, text) = (outcome.status, "\(outcome.output)\(outcome.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        isHealthy = try #require(json?["healthy"] as? Bool, "\(outcome)")
        kinds = try #require(json?["kinds"] as? [[String: Any]])
    }

    var account: String? { kinds.first?["account"] as? String }

    private var steps: [[String: Any]] { kinds.first?["steps"] as? [[String: Any]] ?? [] }

    /// The outcome of each step of the first kind.
    func outcomes() -> [String: String] {
        Dictionary(
            steps.compactMap { step in (step["step"] as? String).map { ($0, step["outcome"] as? String ?? "") } },
            uniquingKeysWith: { first, _ in first })
    }

    var failed: [String] { steps.filter { $0["outcome"] as? String == "failed" }.compactMap { $0["step"] as? String } }

    func detail(_ name: String) throws -> String { try #require(step(name)["detail"] as? String) }
    func commands(_ name: String) throws -> [String] { try #require(step(name)["commands"] as? [String]) }

    private func step(_ name: String) throws -> [String: Any] {
        try #require(steps.first { $0["step"] as? String == name })
    }
}
