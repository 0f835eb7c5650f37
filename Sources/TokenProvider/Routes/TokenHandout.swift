import FleetEngineToken
import HTTPServer
import Logging

/// Hands a granted token out: one that is kept, or a new one. Without a `Grant` there is no way here.
struct TokenHandout: Sendable {
    let cache: TokenCache
    let answer: TokenAnswer
    let label: IDLabel
    let logger: Logger
    /// How long signatures take.
    var signatures = SignatureMeter()

    /// The answer, at once or after a signature.
    func answer(
        _ wanted: WantedToken, _ grant: Grant, _ call: TokenCall, _ records: TokenRecords, at time: ServerTime
    ) -> HTTPAnswer {
        guard let lifetime = grant.lifetime else { return handOut(wanted, grant, call, records, at: time) }
        do throws(TokenPolicyError) {
            return handOut(try wanted.narrowed(to: lifetime), grant, call, records, at: time)
        } catch {
            logger.error("no token could be signed", metadata: ["reason": "\(error.sentence)"])
            return .now(records.refuse(call, .signingUnavailable, to: grant.principal))
        }
    }

    private func handOut(
        _ wanted: WantedToken, _ grant: Grant, _ call: TokenCall, _ records: TokenRecords, at time: ServerTime
    ) -> HTTPAnswer {
        let key = TokenKey(claims: grant.claims, profile: wanted.minter.profile)
        if let token = cache.fresh(key, at: time.epochSeconds) {
            return records.handOut(response(token, .reused, wanted, grant, call, at: time), token, .reused, grant, call)
        }
        return .afterWork { time in mint(key, wanted, grant, call, records, at: time) }
    }

    /// Signs, unless another request for the same token has signed meanwhile.
    private func mint(
        _ key: TokenKey, _ wanted: WantedToken, _ grant: Grant, _ call: TokenCall, _ records: TokenRecords,
        at time: ServerTime
    ) -> HTTPAnswer {
        let now = time.epochSeconds
        var outcome = AuditRecord.Outcome.reused
        do throws(SigningError) {
            let token = try cache.token(for: key, at: now) { () throws(SigningError) in
                let token = try sign(key.claims, by: wanted.minter, at: now)
                outcome = .minted
                return CachedToken(
                    token: token, rendered: answer.body(token, key.claims.kind, wanted.form, at: now),
                    form: wanted.form.rawValue, annotation: label.text(for: key.claims))
            }
            let counted: RequestOutcome = outcome == .minted ? .minted : .reused
            return records.handOut(
                response(token, counted, wanted, grant, call, at: time), token, outcome, grant, call)
        } catch {
            return .now(records.refuse(call, .signingUnavailable, to: grant.principal))
        }
    }

    /// Signs, and says what went wrong even where an older token can stand in.
    private func sign(
        _ claims: PrivateClaims, by minter: TokenMinter, at now: Int64
    ) throws(SigningError) -> MintedToken {
        do {
            return try signatures.measure { () throws(SigningError) in try minter.mint(claims, at: now) }
        } catch {
            logger.error("no token could be signed", metadata: ["reason": "\(error.reason)"])
            throw error
        }
    }

    private func response(
        _ token: CachedToken, _ outcome: RequestOutcome, _ wanted: WantedToken, _ grant: Grant, _ call: TokenCall,
        at time: ServerTime
    ) -> HTTPResponse {
        HTTPResponse(
            status: .ok, fields: TokenAnswer.fields,
            body: answer.body(token, wanted.claims.kind, wanted.form, at: time.epochSeconds),
            annotation: label.isNone
                ? HTTPAnnotation()
                : HTTPAnnotation(route: call.route, subject: token.annotation, rule: grant.rule ?? ""),
            tally: AnswerTally(call.category, outcome, by: CallerProof(grant.principal.proof)))
    }
}
