import FleetEngineToken

extension AccessTokenError {
    /// The failure of these credentials to give an access token.
    package func failure(of credentials: AccessCredentials) -> ProbeFailure {
        let remedy =
            switch credentials {
            case .metadataServer: metadataRemedy
            case .file(let file): remedy(for: file)
            }
        return ProbeFailure(sentence, remedy, isOutage: outage != nil)
    }

    /// The failure to find any credentials: the metadata server does not answer, or something else answers in its place.
    package func failure(toFind server: MetadataServer) -> ProbeFailure {
        let files = "neither GOOGLE_APPLICATION_CREDENTIALS nor gcloud's file exists, and"
        guard outage == nil else {
            return ProbeFailure("\(files) no metadata server answers at \(server.presenceHost)", .noCredentials)
        }
        return ProbeFailure("\(files) \(sentence)", .otherMetadataServer)
    }

    private var metadataRemedy: Remedy {
        if isOfAbsentService { return .noCredentials }
        if outage != nil || isTransient { return .later }
        return Remedy(
            "attach a service account to the machine; in GKE bind the pod's account to one",
            [
                GcloudCommand.text(
                    ["compute", "instances", "set-service-account", "INSTANCE"], "--service-account=EMAIL",
                    "--scopes=cloud-platform"),
                GcloudCommand.text(
                    ["iam", "service-accounts", "add-iam-policy-binding", "EMAIL"],
                    "--role=roles/iam.workloadIdentityUser",
                    "--member='serviceAccount:PROJECT.svc.id.goog[NAMESPACE/KUBERNETES_ACCOUNT]'"),
            ])
    }

    private func remedy(for file: CredentialsFile) -> Remedy {
        if let outage { return outage.remedy }
        if isTransient { return .later }
        if let refusal, let call = RefusedCall(impersonatingBy: file) { return call.remedy(refusal) }
        return switch file {
        case .authorizedUser: Remedy("log in again", [RefusedCall.login])
        case .serviceAccount(let key): remedy(forKeyOf: key.account)
        case .externalAccount(let external): remedy(for: external)
        case .impersonatedServiceAccount(let target): remedy(for: target.source)
        }
    }

    /// The words of Google's token endpoint for keys and accounts that it does not know are not documented, but stable.
    private func remedy(forKeyOf account: String) -> Remedy {
        let words = (reason?.parts ?? []).joined(separator: " ").lowercased()
        if words.contains("account not found") {
            return Remedy(
                "create the account of the key file again, or use another", GcloudCommand.listOrCreate(account))
        }
        if words.contains("disabled") {
            return Remedy("enable the account \(account)", [GcloudCommand.enableAccount(account)])
        }
        if words.contains("timeframe") { return .setClock }
        return Remedy(
            "use a key that the account \(account) still has", GcloudCommand.listOrCreateKeys(of: account))
    }

    private func remedy(for external: ExternalAccount) -> Remedy {
        Remedy(
            "make the identity provider's token fit what the pool's provider expects, and check that it is fresh",
            IdentityProvider(external).map { [$0.description] } ?? [])
    }
}

extension RefusedCall {
    /// The call that makes an access token of another account; nil for credentials that need none.
    fileprivate init?(impersonatingBy file: CredentialsFile) {
        switch file {
        case .externalAccount(let external):
            guard let account = external.impersonatedAccount else { return nil }
            self = .impersonation(of: account, [], by: IAMMember(federated: external))
        case .impersonatedServiceAccount(let target):
            let delegates = target.delegates.compactMap { try? ServiceAccountName($0).email }
            self = .impersonation(of: target.account, delegates, by: IAMMember(target.source))
        case .authorizedUser, .serviceAccount: return nil
        }
    }
}

extension Remedy {
    /// What to do where something else answers instead of the metadata server.
    fileprivate static let otherMetadataServer = Remedy(
        "correct GCE_METADATA_HOST and GCE_METADATA_IP if they are set; on a machine that is not Google's, log in or name a "
            + "file in credentials",
        [RefusedCall.login])

    /// What to do without any credentials.
    package static let noCredentials = Remedy(
        "log in, name a file in credentials or GOOGLE_APPLICATION_CREDENTIALS, or run on a machine of Google's",
        [RefusedCall.login])
}
