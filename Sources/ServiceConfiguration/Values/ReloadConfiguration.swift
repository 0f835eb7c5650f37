import FleetEngineToken

extension Configuration {
    /// Whether the daemon confines itself.
    package enum Sandbox: String, CaseIterable, Sendable {
        /// As far as the kernel can.
        case auto
        /// Not at all.
        case off
    }

    /// When changed files cause a reload.
    package struct Reload: Sendable, Equatable {
        /// The time between two checks of the files; nil for no checks.
        package var watch: Duration?
    }

    /// The files that the configuration names and whose content it uses.
    package var files: [String] {
        let issuerKeys = issuers.compactMap { issuer in
            if case .file(let path) = issuer.keys { path } else { nil }
        }
        let certificates: [String?] = tls.certificates.flatMap { files -> [String?] in
            [files.certificate, files.key, files.passphrase, files.response]
        }
        let proxy: String? = if case .file(let path)? = outgoing.proxy { path } else { nil }
        let others = [apiKeys.file, outgoing.caFile, proxy, pkcs11.pin, tls.clientCAFile, tls.clientCRLFile]
        return credentialFiles + issuerKeys + issuers.compactMap(\.keysTokenFile)
            + (certificates + others).compactMap(\.self)
    }
}
