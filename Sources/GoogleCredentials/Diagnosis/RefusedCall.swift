import FleetEngineToken

/// A call that a Google API refused: what an operator does about each cause.
struct RefusedCall {
    /// The API that was asked, unless the answer names another.
    let service: String
    /// The project of the call, unless the answer names it; nil if it is unknown.
    var project: String?
    /// Who asked.
    let caller: IAMMember
    /// The account that was asked for or that signed.
    let account: String
    /// What gives the permission.
    let grant: Remedy

    /// `signJwt` for an account, asked by the caller of the first in the chain of delegates.
    static func signing(
        as account: String, _ delegates: [String], by caller: IAMMember, project: String? = nil
    ) -> RefusedCall {
        let chain = delegates + [account]
        let callers = [caller] + delegates.map(IAMMember.serviceAccount)
        let commands = zip(chain, callers).map { GcloudCommand.grant(SigningRefusal.role, on: $0, to: $1) }
        let more = delegates.isEmpty ? "" : ", and on each account of the chain to the one before it"
        return RefusedCall(
            service: iamCredentials, project: project, caller: caller, account: account,
            grant: Remedy("grant \(caller.phrase) the role \(SigningRefusal.role) on \(chain[0])\(more)", commands))
    }

    /// `generateAccessToken` for an account. Federated identities need another role than those of Google.
    static func impersonation(of account: String, _ delegates: [String], by caller: IAMMember) -> RefusedCall {
        guard case .federated = caller else { return signing(as: account, delegates, by: caller) }
        let role = "roles/iam.workloadIdentityUser"
        return RefusedCall(
            service: iamCredentials, caller: caller, account: account,
            grant: Remedy(
                "grant \(caller.phrase) the role \(role) on \(account)",
                [GcloudCommand.grant(role, on: account, to: caller)]))
    }

    /// A request to Fleet Engine with a token that this account signed. `role` is nil for a kind whose role is unknown.
    static func fleetEngine(_ project: String, signedBy account: String, _ role: String?) -> RefusedCall {
        let member = IAMMember.serviceAccount(account)
        let grant =
            if let role {
                Remedy(
                    "grant \(account) the role \(role) in the project \(project)",
                    [GcloudCommand.grant(role, inProject: project, to: member)])
            } else {
                Remedy("grant \(account) a Fleet Engine role in the project \(project), never that of an admin")
            }
        return RefusedCall(
            service: "fleetengine.googleapis.com", project: project, caller: member, account: account, grant: grant)
    }

    private static let iamCredentials = "iamcredentials.googleapis.com"
}

extension RefusedCall {
    /// What to do about a refusal.
    func remedy(_ refusal: GoogleRefusal) -> Remedy {
        let project = refusal.project ?? self.project ?? "PROJECT"
        switch refusal.cause {
        case .permission: return grant
        case .disabledAPI:
            let service = refusal.service ?? self.service
            return Remedy(
                "enable the API \(service) in the project \(project)", [GcloudCommand.enable(service, project)])
        case .missing: return .missingAccount(account)
        case .scope, .credentials, .disabledAccount: return credentialRemedy(refusal)
        case .billing, .project, .userProject, .perimeter: return projectRemedy(refusal.cause, project)
        case .quota: return Remedy("ask Google for a higher quota, or lower signing.quota_share")
        case .outage: return .later
        case .other: return Remedy("do what Google's answer says")
        }
    }

    private func credentialRemedy(_ refusal: GoogleRefusal) -> Remedy {
        if refusal.cause == .scope {
            return Remedy(
                "give the machine the scope https://www.googleapis.com/auth/cloud-platform while it is stopped",
                [
                    GcloudCommand.text(
                        ["compute", "instances", "set-service-account", "INSTANCE"], "--scopes=cloud-platform")
                ]
            )
        }
        if refusal.cause == .disabledAccount, let email = refusal.account ?? caller.email {
            return Remedy("enable the account \(email), or create it again", [GcloudCommand.enableAccount(email)])
        }
        let login = caller == .person ? [Self.login] : []
        return Remedy("set this machine's clock if it is wrong; otherwise get new credentials", login)
    }

    private func projectRemedy(_ cause: GoogleRefusal.Cause, _ project: String) -> Remedy {
        switch cause {
        case .billing:
            Remedy(
                "give the project \(project) a billing account that is open",
                [GcloudCommand.text(["billing", "projects", "describe", project])])
        case .userProject:
            Remedy(
                "grant \(caller.phrase) the role \(Self.consumer) in the project \(project)",
                [GcloudCommand.grant(Self.consumer, inProject: project, to: caller)])
        case .perimeter:
            Remedy(
                "allow the call in the service perimeter of the project \(project)",
                [GcloudCommand.text(["access-context-manager", "perimeters", "list"], "--policy=POLICY")])
        default:
            Remedy(
                "restore the project \(project), or use another",
                [GcloudCommand.text(["projects", "describe", project])])
        }
    }

    private static let consumer = "roles/serviceusage.serviceUsageConsumer"
    /// Makes new credentials of a person.
    static let login = GcloudCommand.text(["auth", "application-default", "login"])
}

extension Remedy {
    /// What to do about an answer that says that Google is ill.
    static let later = Remedy("wait a minute; Google's status is at https://status.cloud.google.com")

    /// What to do about a service account that does not exist.
    static func missingAccount(_ email: String) -> Remedy {
        Remedy("correct the account's name (sign_as), or create the account", GcloudCommand.listOrCreate(email))
    }
}

extension IAMMember {
    /// The address of a service account; nil for others.
    fileprivate var email: String? {
        if case .serviceAccount(let email) = self { email } else { nil }
    }
}
