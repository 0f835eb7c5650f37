import FleetEngineToken
import OpenSSLSigner

/// A signer for each kind that is served; one key file read once, however many kinds it serves.
struct Signers {
    private(set) var byKind: [TokenKind: RS256Signer] = [:]
    private(set) var warnings: [String] = []

    /// Loads every key file of the configuration, or throws all that is wrong with them.
    init(_ configuration: Configuration) throws(CredentialErrors) {
        var byPath: [String: RS256Signer] = [:]
        var errors: [String] = []
        for kind in TokenKind.allCases {
            guard let path = configuration.kinds[kind].credentials else { continue }
            if let signer = byPath[path] {
                byKind[kind] = signer
                continue
            }
            do throws(CredentialError) {
                let file = try CredentialFile(path: path)
                if let warning = file.warning { warnings.append(warning) }
                let signer = try file.signer(
                    allowDefaultServiceAccounts: configuration.allowDefaultServiceAccounts)
                byPath[path] = signer
                byKind[kind] = signer
            } catch {
                // Two kinds may name the same wrong file.
                if !errors.contains(error.sentence) { errors.append(error.sentence) }
            }
        }
        guard errors.isEmpty else { throw CredentialErrors(sentences: errors) }
    }

    /// One signer for every kind.
    init(all signer: RS256Signer) {
        for kind in TokenKind.allCases { byKind[kind] = signer }
    }
}

/// All that is wrong with the key files, a sentence each.
struct CredentialErrors: Error {
    let sentences: [String]
}

extension Configuration.Kinds {
    /// What a kind has of its own.
    subscript(kind: TokenKind) -> Configuration.Kind {
        switch kind {
        case .consumer: consumer
        case .driver: driver
        }
    }
}
