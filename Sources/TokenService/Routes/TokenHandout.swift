import CallerAccess
import FleetEngineToken
import HTTPServer
import Logging

/// Hands a granted token out: one that is kept, or a new one. Without a `Grant` there is no way here.
package struct TokenHandout: Sendable {
    package let cache: TokenCache
    package let answer: TokenAnswer
    package let label: IDLabel
    package let logger: Logger
    /// How long signatures take.
    package var signatures = SignatureMeter()

    /// The answer, at once or after a signature.
    package func answer(
        _ wanted: WantedToken, _ grant: Grant, _ call: TokenCall, _ records: TokenRecords, at time: ServerTime
    ) -> HTTPAnswer {
        if let bound = grant.bound { return handOut(wanted, within: bound, grant, call, records, at: time) }
        return handOut(wanted, grant, call, records, at: time)
    }

    /// The answer with a token that does not end after the bound, be it new or kept. Those that are kept for decisions of the
    /// same length are found by it, whatever is left of it when one is signed: each ends when the decision that it was
    /// signed for does, or before. So they are never kept among those that nobody bounds.
    private func handOut(
        _ wanted: WantedToken, within bound: TokenBound, _ grant: Grant, _ call: TokenCall, _ records: TokenRecords,
        at time: ServerTime
    ) -> HTTPAnswer {
        refusing(grant, call, records) { () throws(TokenPolicyError) in
            let longest = max(1, wanted.minter.profile.policy.service - 1)
            let place = try wanted.narrowed(to: min(bound.seconds, longest))
            let key = TokenKey(claims: grant.claims, profile: place.minter.profile)
            if let token = cache.fresh(key, at: time.epochSeconds, endingBy: bound.end) {
                return records.handOut(
                    response(token, .reused, wanted, grant, call, at: time), token, .reused, grant, call)
            }
            return .afterWork { time in
                refusing(grant, call, records) { () throws(TokenPolicyError) in
                    let narrowed = try wanted.narrowed(to: bound.left(at: time.epochSeconds))
                    return mint(key, narrowed, grant, call, records, at: time, endingBy: bound.end)
                }
            }
        }
    }

    private func refusing(
        _ grant: Grant, _ call: TokenCall, _ records: TokenRecords, _ answer: () throws(TokenPolicyError) -> HTTPAnswer
    ) -> HTTPAnswer {
        do throws(TokenPolicyError) {
            return try answer()
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
        at time: ServerTime, endingBy end: Int64 = .max
    ) -> HTTPAnswer {
        let now = time.epochSeconds
        var outcome = AuditRecord.Outcome.reused
        do throws(SigningError) {
            let token = try cache.token(for: key, at: now, endingBy: end) { () throws(SigningError) in
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
