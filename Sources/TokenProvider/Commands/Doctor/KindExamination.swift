import FleetEngineToken
import GoogleCredentials
import HTTPClient
import HTTPServer
import OpenSSLCrypto
import ServiceConfiguration
import TokenInspection
import TokenService

/// Examines one kind step by step: from its credentials to what Fleet Engine says about its token.
struct KindExamination: Sendable {
    /// Seconds: with larger differences Google refuses tokens sooner or later.
    private static let clockTolerance: Int64 = 30

    let kind: TokenKind
    let configuration: Configuration
    let signers: Result<Signers, ConfigurationErrors>
    let place: CredentialsPlace
    let subject: DoctorSubject
    let probes: GoogleProbes
    /// Whose Fleet Engine is asked; nil for none.
    let project: String?

    private var steps = DoctorSteps()
    private var account: String?

    init(
        _ kind: TokenKind, _ configuration: Configuration, _ signers: Result<Signers, ConfigurationErrors>,
        _ place: CredentialsPlace, _ subject: DoctorSubject, _ probes: GoogleProbes, project: String?
    ) {
        (self.kind, self.configuration, self.signers, self.place) = (kind, configuration, signers, place)
        (self.subject, self.probes, self.project) = (subject, probes, project)
    }

    /// The diagnosis. Blocks until Google has answered, or the probes' time has passed; shows its steps as they are taken.
    func run(showing progress: DoctorProgress?) -> KindDiagnosis {
        var examination = self
        examination.steps = DoctorSteps { [kind] in progress?.note($0, of: kind) }
        if project == nil { examination.steps.skip(.fleetEngine, "not asked without --project ID") }
        examination.examine()
        let steps = examination.steps.all
        for step in steps { progress?.note(step, of: kind) }
        return KindDiagnosis(kind: kind, account: examination.account, steps: steps)
    }

    private mutating func examine() {
        switch signers {
        case .failure(let errors):
            let remedy = Remedy("correct the file or the setting; token-provider check reads both without Google")
            return steps.fail(.credentials, ProbeFailure(errors.sentences.joined(separator: "; "), remedy))
        case .success(let signers):
            if let remote = signers.remote[kind] { examine(remote) } else { examine(signers) }
        }
        if let difference = probes.clockDifference { check(difference) }
    }

    /// Notes how the clocks agree.
    private mutating func check(_ difference: ClockDifference) {
        if !difference.exceeds(Self.clockTolerance) {
            let off = difference.seconds == 0 ? "agrees" : "agrees within \(RelativeTime.span(difference.seconds))"
            return steps.succeed(.clock, "this machine's clock \(off) with \(difference.endpoint)")
        }
        steps.fail(
            .clock,
            ProbeFailure("\(difference.sentence); expected at most \(Self.clockTolerance) s", .setClock))
    }
}

extension ClockDifference {
    /// One sentence without a full stop.
    var sentence: String {
        let side = seconds > 0 ? "ahead of" : "behind"
        return "this machine's clock is \(RelativeTime.span(seconds)) \(side) that of \(endpoint)"
    }
}

/// A key of this process or in hardware.
extension KindExamination {
    private mutating func examine(_ signers: Signers) {
        guard let signer = signers.byKind[kind] else { return }
        let source = signers.sources[kind] ?? configuration.namedKeyFile(of: kind) ?? ""
        let form = configuration.kinds[kind].key == nil ? "the key of a service account" : "a key in hardware"
        steps.succeed(.credentials, place.sentence(source, form))
        account = signer.account
        steps.succeed(.account, signer.account)
        steps.skip(.accessToken, "not needed, since the key signs here")
        let token: MintedToken
        do {
            guard let minter = try signers.minter(of: kind, configuration) else { return }
            token = try minter.mint(subject.claims, at: ServerTime.now().epochSeconds)
        } catch {
            let sentence = (error as? SigningError)?.reason ?? "\(error)"
            return steps.fail(.signing, ProbeFailure(sentence, Remedy("correct the clock or the key")))
        }
        steps.succeed(.signing, "the key \(signer.keyID) signed a token here")
        use(token, signedBy: signer.account, isLocal: true)
    }
}

/// An account that Google signs for.
extension KindExamination {
    private mutating func examine(_ remote: RemoteAccount) {
        guard let (email, caller) = identify(remote) else { return }
        let access: AccessToken
        do throws(ProbeFailure) {
            access = try probes.accessToken(remote)
        } catch {
            steps.fail(.accessToken, error)
            // A wrong clock may be the cause, and each answer of Google tells the time.
            if !error.isOutage { _ = probes.publishedKeys(of: email) }
            return
        }
        let rest = RelativeTime.span(access.expiresAt - ServerTime.now().epochSeconds)
        steps.succeed(.accessToken, "\(caller.phrase) got one that expires in \(rest)")
        do throws(SigningProbe.Failure) {
            let token = try probes.sign(
                subject.claims, as: email, configuration, with: access, of: caller, in: remote.project)
            steps.succeed(.signing, "Google signed a token as \(email)")
            use(token, signedBy: email, isLocal: false)
        } catch {
            explain(error, email)
        }
    }

    /// The account to sign as, and who asks.
    private mutating func identify(_ remote: RemoteAccount) -> (email: String, caller: IAMMember)? {
        let machine: String?
        do throws(ProbeFailure) {
            machine = try probes.machine(remote)
        } catch {
            steps.fail(.credentials, error)
            return nil
        }
        steps.succeed(.credentials, place.sentence(remote.source, remote.form))
        guard let email = remote.email ?? machine else { return nil }
        do throws(ConfigurationErrors) {
            try RemoteSigning.checkRights(of: email, kind, configuration)
        } catch {
            let remedy = Remedy("name an account that has one Fleet Engine role in kinds.\(kind.rawValue).sign_as")
            steps.fail(.account, ProbeFailure(error.sentences.joined(separator: "; "), remedy))
            return nil
        }
        account = email
        let caller = remote.member(machine: machine)
        steps.succeed(.account, "\(place.sentence(signingAs: email)); Google is asked by \(caller.phrase)")
        return (email, caller)
    }

    /// Notes why nothing was signed. Only the published keys tell a missing account from a missing role.
    private mutating func explain(_ failure: SigningProbe.Failure, _ email: String) {
        steps.fail(.signing, failure.failure)
        guard !failure.failure.isOutage, case .missingAccount(let missing) = probes.publishedKeys(of: email),
            failure.mayMeanMissingAccount
        else { return }
        steps.fail(.signing, missing)
    }
}

/// What others say about the token.
extension KindExamination {
    private mutating func use(_ token: MintedToken, signedBy email: String, isLocal: Bool) {
        switch probes.publishedKeys(of: email) {
        case .missingAccount(let failure), .failed(let failure): steps.fail(.publishedKeys, failure)
        case .keys(let keys): verify(token, signedBy: email, isLocal, keys)
        }
        guard let project, steps.outage == nil else { return }
        switch probes.fleetEngine(project, subject.resource, token, signedBy: email, role: kind.role) {
        case .accepted: steps.succeed(.fleetEngine, "accepted the token: \(subject.resource) does not exist there")
        case .refused(let failure, mayLackPermission: true) where !kind.roleMayRead:
            steps.skip(.fleetEngine, "\(failure.detail), which tells nothing: \(kind.role ?? "") allows no reading")
        case .refused(let failure, _): steps.fail(.fleetEngine, explained(failure, token))
        }
    }

    private mutating func verify(
        _ token: MintedToken, signedBy email: String, _ isLocal: Bool, _ keys: [JWK]
    ) {
        let set = KeyFile(
            place: "the JWK set that Google publishes for \(email)", isSet: true, keys: keys, account: nil, skipped: [])
        let signature = InspectionReport(of: token.jwt, at: ServerTime.now().epochSeconds, keys: set).signature
        if signature.status == .verified {
            steps.succeed(.publishedKeys, "the token is verified \(signature.sentence)")
        } else {
            let remedy = PublishedKeysProbe.unpublished(email, isLocal: isLocal)
            steps.fail(.publishedKeys, ProbeFailure(signature.sentence, remedy))
        }
    }

    /// A refusal of Fleet Engine with what the token itself tells about it.
    private func explained(_ failure: ProbeFailure, _ token: MintedToken) -> ProbeFailure {
        let inspected = InspectedToken(of: token.jwt, at: ServerTime.now().epochSeconds)
        let findings = inspected.findings.filter { $0.severity == .refused }
        let purpose = inspected.purpose.map { ["it is \($0.sentence)"] } ?? []
        let details = [failure.detail] + purpose + findings.map(\.problem)
        let cures = [failure.remedy.cure] + findings.map(\.fix)
        return ProbeFailure(
            details.joined(separator: "; "), Remedy(cures.joined(separator: "; "), failure.remedy.commands),
            isOutage: failure.isOutage)
    }
}
