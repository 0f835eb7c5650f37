import Concurrency
@testable import FleetEngineToken
@testable import GoogleCredentials
import Testing
import TokenInspection

@testable import TokenProvider

/// Which steps follow from others, and how they are shown.
@Suite struct DoctorReportTests {
    private static let failure = ProbeFailure("it is off", Remedy("turn it on", ["gcloud a", "gcloud b"]))

    private func diagnosis(
        _ kind: TokenKind = .driver, _ change: (inout DoctorSteps) -> Void
    ) -> KindDiagnosis {
        var steps = DoctorSteps()
        change(&steps)
        return KindDiagnosis(kind: kind, account: "a@b.test", steps: steps.all)
    }

    private func well(_ steps: inout DoctorSteps) {
        for name in DoctorStep.Name.allCases { steps.succeed(name, "fine") }
    }

    @Test(arguments: [
        (
            DoctorStep.Name.credentials,
            ["account", "access_token", "signing", "published_keys", "clock", "fleet_engine"]
        ),
        (.account, ["access_token", "signing", "published_keys", "clock", "fleet_engine"]),
        (.accessToken, ["signing", "published_keys", "fleet_engine"]), (.signing, ["published_keys", "fleet_engine"]),
        (.publishedKeys, []), (.clock, []), (.fleetEngine, []),
    ])
    func `a failed step skips those that need it`(failed: DoctorStep.Name, needing: [String]) {
        let names = DoctorStep.Name.allCases
        let diagnosis = diagnosis { steps in
            for name in names.prefix(while: { $0 != failed }) { steps.succeed(name, "fine") }
            steps.fail(failed, Self.failure)
        }
        #expect(diagnosis.steps.map(\.name) == names && !diagnosis.isHealthy)
        let skipped = diagnosis.steps.filter { $0.detail == "needs \(failed.rawValue)" }
        #expect(skipped.map(\.name.rawValue) == needing && skipped.allSatisfy { $0.outcome == .skipped })
    }

    @Test func `after an outage no other step asks Google`() {
        let outage = ProbeFailure("a.test:443 cannot be reached", Remedy("open the way"), isOutage: true)
        let diagnosis = diagnosis { steps in
            for name in [DoctorStep.Name.credentials, .account, .accessToken, .signing] { steps.succeed(name, "fine") }
            steps.fail(.publishedKeys, outage)
            #expect(steps.outage == .publishedKeys)
        }
        let reason = "needs a way to Google, which published_keys did not find"
        #expect(diagnosis.steps.suffix(2).map(\.detail) == [reason, reason])
    }

    @Test func `JSON has every step with cure and commands`() {
        let diagnosis = diagnosis { steps in
            well(&steps)
            steps.fail(.credentials, Self.failure)
        }
        let text = DoctorReport(project: nil, kinds: [diagnosis]).json
        #expect(
            text.hasPrefix(
                #"{"healthy":false,"project":null,"reached":[],"kinds":[{"kind":"driver","account":"a@b.test","#
                    + #""healthy":false,"steps":["#
                    + #"{"step":"credentials","outcome":"failed","detail":"it is off","cure":"turn it on","#
                    + #""commands":["gcloud a","gcloud b"]},"#
                    + #"{"step":"account","outcome":"ok","detail":"fine","cure":null,"commands":[]},"#), "\(text)")
        #expect(text.ranges(of: #""step":"#).count == 7)
    }

    @Test func `text shows finished steps, and equal results once`() {
        let shown = Guarded<[String]>([])
        let kinds: [TokenKind] = [.consumer, .driver, .server]
        let text = DoctorText(isColoured: false)
        let progress = DoctorProgress(kinds, text) { line in shown.withLock { $0.append(line) } }
        let diagnoses = kinds.map { kind in
            diagnosis(kind) { steps in
                well(&steps)
                if kind != .consumer { steps.fail(.signing, Self.failure) }
                if kind == .driver { steps.succeed(.fleetEngine, "good") }
            }
        }
        #expect(shown.withLock { $0 } == ["consumer, driver, server"])
        for diagnosis in diagnoses.dropLast() {
            for step in diagnosis.steps { progress.note(step, of: diagnosis.kind) }
        }
        #expect(shown.withLock { $0 }.count == 1)
        for step in diagnoses[2].steps.prefix(3) { progress.note(step, of: .server) }
        #expect(shown.withLock { $0 }.count == 4)
        for step in diagnoses[2].steps { progress.note(step, of: .server) }
        let all = shown.withLock { $0 } + [text.end(DoctorReport(project: "p", kinds: diagnoses))]
        #expect(
            all.joined(separator: "\n") == """
                consumer, driver, server
                  ✓ credentials     fine
                  ✓ account         fine
                  ✓ access_token    fine
                  ✓ signing         consumer: fine
                  ✗ signing         driver, server: it is off
                                    -> turn it on
                                       gcloud a
                                       gcloud b
                  ✓ published_keys  fine
                  ✓ clock           fine
                  ✓ fleet_engine    consumer, server: fine
                  ✓ fleet_engine    driver: good

                2 of 3 kinds have a problem.
                """)
    }

    @Test func `every kind is asked for by what its claims name`() throws {
        let id = try FleetEngineID("doctor-1")
        for kind in TokenKind.allCases {
            let subject = try DoctorSubject(kind, id)
            #expect(subject.claims.kind == kind && subject.resource.hasSuffix("/doctor-1"))
            #expect(subject.claims.ids == (kind.isWildcard ? [] : [id]))
        }
        #expect(TokenKind.allCases.filter { !$0.roleMayRead } == [.taskBatch])
    }
}
