import CallerAccess

/// The ways in which callers prove who they are, each tried for the kind of credentials it knows.
package final class Authenticators: Sendable {
    /// Nil if no identity provider is configured.
    private let verifier: BearerTokenVerifier?
    /// What fetches the keys of issuers whose keys are not in files, by the issuers' names.
    private let feeds: [String: KeySetFeed]
    /// Nil if no file of API keys is configured.
    private let apiKeys: APIKeyTable?
    /// The field in which API keys may stand besides `Authorization`, as bytes in lower case.
    let keyField: [UInt8]?
    /// Nil where nobody is to be told.
    private let nameless: NamelessCallers?

    init(
        verifier: BearerTokenVerifier?, feeds: [String: KeySetFeed] = [:], apiKeys: APIKeyTable? = nil,
        keyField: [UInt8]? = nil, nameless: NamelessCallers? = nil
    ) {
        self.nameless = nameless
        (self.verifier, self.feeds) = (verifier, feeds)
        (self.apiKeys, self.keyField) = (apiKeys, keyField)
    }

    /// What is known of whom the credentials prove, at `now` in seconds since the epoch. `excess` is asked before anything
    /// is left to be verified that was not before.
    func proof(
        by credentials: CallerCredentials, at now: Int64, unless excess: () -> CallerRefusal?
    ) throws(CallerRefusal) -> KnownProof {
        switch credentials {
        case .none: throw .open(.unauthenticated, "the request has no credentials")
        case .foreign:
            // As good as none (RFC 6750 section 3.1).
            throw .open(.unauthenticated, "the request's credentials are of another scheme than Bearer")
        case .unusable:
            // Not left open: a second proof beside one that does not hold must not make that one anybody else's to judge.
            throw CallerRefusal(
                .invalidCredentials, "the request's credentials are not of the form Authorization: Bearer, once")
        case .certificate(let caller):
            do throws(CallerRefusal) {
                return .principal(try caller.principal.get())
            } catch {
                throw excess() ?? error
            }
        case .token(let bytes):
            guard let verifier else { throw excess() ?? Self.noIssuer }
            let token = BearerToken(bytes)
            if let known = verifier.knownPrincipal(of: token, at: now) { return .principal(known) }
            if let refusal = excess() { throw refusal }
            return .unverified(token)
        case .apiKey(let key): return .principal(try principal(ofKey: key, at: now, unless: excess))
        }
    }

    /// Whom the token proves, whether or not it was verified before: that takes as long as all else about a request.
    func principal(verifying token: BearerToken, at now: Int64) throws(CallerRefusal) -> Principal {
        guard let verifier else { throw Self.noIssuer }
        do throws(BearerTokenRefusal) {
            let principal = try verifier.verifiedPrincipal(of: token, at: now)
            nameless?.look(at: principal, now: now)
            return principal
        } catch {
            throw refusal(error)
        }
    }

    private static var noIssuer: CallerRefusal {
        .open(.invalidCredentials, "the request has a bearer token, and no issuer is configured")
    }

    /// A token whose key is not there may be sound; a fetch of the issuer's keys can tell. One that names no issuer who is
    /// known here is not disproved.
    private func refusal(_ error: BearerTokenRefusal) -> CallerRefusal {
        let problem: CallerProblem = error.fault == .keysMissing ? .checkUnavailable : .invalidCredentials
        return CallerRefusal(
            problem, error.sentence, detail: .token(error),
            feed: error.fault.mayBeOfNewKey ? error.issuer.flatMap { feeds[$0] } : nil,
            leavesOpen: error.issuer == nil)
    }

    /// To look a key up costs little, so a flood of wrong ones keeps no sound one out.
    private func principal(
        ofKey key: [UInt8], at now: Int64, unless excess: () -> CallerRefusal?
    ) throws(CallerRefusal) -> Principal {
        guard let apiKeys else {
            throw excess() ?? .open(.invalidCredentials, "the request has an API key, and none is configured")
        }
        do throws(APIKeyRefusal) {
            return try apiKeys.principal(of: key, at: now)
        } catch {
            throw excess() ?? CallerRefusal(.invalidCredentials, error.sentence)
        }
    }
}

/// What is known of what credentials prove.
enum KnownProof: Sendable {
    /// Who is calling.
    case principal(Principal)
    /// Nothing until this token is verified.
    case unverified(BearerToken)
}
