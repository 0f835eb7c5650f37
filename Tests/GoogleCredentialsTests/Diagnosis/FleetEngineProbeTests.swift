import Testing

@testable import GoogleCredentials
@testable import HTTPClient

/// What Fleet Engine's answers mean (FleetEngineContract.md, "Remote signing").
struct FleetEngineProbeTests {
    private static let account = "driver@my-fleet.iam.gserviceaccount.com"

    private func verdict(
        _ answer: FakeService.Answer, role: String? = "roles/fleetengine.driverSdkUser"
    ) async throws -> FleetEngineProbe.Verdict {
        let service = FakeService(answer)
        let probe = try FleetEngineProbe(
            base: OutgoingURL("https://fleetengine.googleapis.com"), project: "my-fleet", resource: "vehicles/v-1",
            signedBy: Self.account, role: role)
        let verdict = await probe.ask(Secret("eyJ.canary"), by: service.send)
        #expect(
            service.seen == [
                .init(
                    method: "GET",
                    url: "https://fleetengine.googleapis.com/v1/providers/my-fleet/vehicles/v-1",
                    fields: ["authorization: Bearer eyJ.canary", "accept: application/json"])
            ])
        #expect(!"\(verdict)".contains("canary"))
        return verdict
    }

    private static func error(_ code: Int, _ details: String = "[]", message: String = "no") throws
        -> FakeService.Answer
    {
        let body = #"{"error":{"code":\#(code),"message":"\#(message)","status":"X","details":\#(details)}}"#
        return .status(code, [try HTTPClientField("content-type", "application/json")], Array(body.utf8))
    }

    private static func reason(_ reason: String) -> String {
        #"[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\#(reason)","#
            + #""metadata":{"consumer":"projects/7"}}]"#
    }

    @Test func `a missing resource means that the token was accepted`() async throws {
        guard case .accepted = try await verdict(Self.error(404)) else { throw Unexpected() }
    }

    @Test func `a missing permission names role and project`() async throws {
        guard
            case .refused(let failure, true) = try await verdict(Self.error(403, Self.reason("IAM_PERMISSION_DENIED")))
        else { throw Unexpected() }
        #expect(
            failure.detail
                == #"fleetengine.googleapis.com:443 refused the token (403 IAM_PERMISSION_DENIED: "no")"#)
        #expect(
            failure.remedy.commands == [
                "gcloud projects add-iam-policy-binding my-fleet --role=roles/fleetengine.driverSdkUser "
                    + "--member=serviceAccount:\(Self.account)"
            ])
    }

    @Test func `a kind without a documented role has no command`() async throws {
        let answer = try await verdict(Self.error(403, Self.reason("IAM_PERMISSION_DENIED")), role: nil)
        guard case .refused(let failure, true) = answer else { throw Unexpected() }
        #expect(failure.remedy.commands.isEmpty && failure.remedy.cure.contains("never that of an admin"))
    }

    @Test func `a disabled API names the command that enables it`() async throws {
        guard case .refused(let failure, false) = try await verdict(Self.error(403, Self.reason("SERVICE_DISABLED")))
        else {
            throw Unexpected()
        }
        #expect(failure.remedy.commands == ["gcloud services enable fleetengine.googleapis.com --project=7"])
    }

    @Test func `answers that are not Google's decide nothing`() async throws {
        for answer in [FakeService.Answer.status(404, "<html>"), .status(200, ""), .status(302, "")] {
            guard case .refused(let failure, false) = try await verdict(answer) else { throw Unexpected() }
            #expect(failure.remedy.cure.contains("google.fleet_engine"))
        }
        guard case .refused(let failure, false) = try await verdict(.failure(.tls(reason: "no"))), failure.isOutage
        else {
            throw Unexpected()
        }
    }

    @Test func `a message with the token is hidden`() async throws {
        guard case .refused(let failure, _) = try await verdict(Self.error(401, message: "eyJ.canary")) else {
            throw Unexpected()
        }
        #expect(failure.detail.contains("(hidden)"))
    }

    private struct Unexpected: Error {}
}
