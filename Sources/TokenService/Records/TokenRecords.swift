import AuditLog
import CallerAccess
import FleetEngineToken
import HTTPServer
import Logging
import OpenSSLCrypto
import StrictJSON

/// Records each token request: a log line for a refusal, and an audit record. No token leaves before its record is stored.
package struct TokenRecords: Sendable {
    /// Nil for no audit log.
    let audit: AuditRecorder?
    /// Whether handing out a cached token is recorded too.
    let recordsReused: Bool
    let label: IDLabel
    /// Decides which refusals get their own log line and record.
    let refusals: RefusalRecords

    /// The answer that hands a token out, once its record is stored.
    func handOut(
        _ response: consuming HTTPResponse, _ token: CachedToken, _ outcome: AuditRecord.Outcome,
        _ request: GrantedRequest
    ) -> HTTPAnswer {
        // The record of the request that had the token signed may still be pending, or may have failed.
        guard let audit, recordsReused || !token.isRecorded else { return .now(response) }
        var record = record(outcome, request.call, request.grant.principal)
        record.rule = request.grant.rule
        record.token = AuditedToken(token.jwt[...], token.times, by: request.minter.profile.account)
        let response = response
        return .later { promise in
            audit.append(record.opening()) { isDurable in
                if isDurable { token.markRecorded() }
                promise.give { _ in
                    .now(
                        isDurable ? response : answer(request.call, .caller(.auditUnavailable), request.grant.principal)
                    )
                }
            }
        }
    }

    /// The answer to a caller that may not have a token.
    func refuse(_ call: TokenCall, _ refusal: CallerRefusal) -> HTTPResponse {
        let recorded = (refusal.problem.code, refusal.reason)
        let explanation = { refusal.explanation(maxBytes: AuditRecord.maxReason) }
        if record(recorded, explanation, refusal.problem.auditOutcome, call, refusal.principal) {
            refusals.logger.info("refused", metadata: metadata(call, refusal))
            remember(call, refusal.problem.code, .caller(refusal.withoutFeed))
        }
        return answer(call, .caller(refusal.problem), refusal.principal, refusal.limit)
    }

    /// The answer to a request that is invalid, or cannot be answered now.
    func refuse(_ call: TokenCall, _ problem: TokenProblem, to principal: Principal? = nil) -> HTTPResponse {
        // The problem's sentence may contain the client's words, and those a secret.
        let recorded = (problem.code, "the request is invalid, or cannot be answered at the moment")
        if record(recorded, { recorded.1 }, .failed, call, principal) {
            remember(call, recorded.0, .sentence(recorded.1))
        }
        return answer(call, problem, principal)
    }

    private func answer(
        _ call: TokenCall, _ problem: TokenProblem, _ principal: Principal?, _ limit: RequestLimits.Limit? = nil
    ) -> HTTPResponse {
        let credentials = principal.map { CredentialType($0.authentication) } ?? CredentialType(call.credentials)
        return ProblemAnswer.answer(
            problem, route: call.route, subject: subject(of: call),
            tally: AnswerTally(call.category, problem.outcome(by: limit), by: credentials))
    }

    private func subject(of call: TokenCall) -> String {
        (try? call.wanted.get()).map { label.text(for: $0.claims) } ?? ""
    }

    /// Remembers it for the console, if there is one. The call itself has credentials, which are not held.
    private func remember(_ call: TokenCall, _ code: String, _ cause: RefusalNote.Cause) {
        guard let latest = refusals.latest else { return }
        latest.add(RefusalNote(code, cause, call.identity, (try? call.wanted.get())?.claims, label))
    }

    /// Records or counts a refusal; whether it is recorded separately. The answer does not wait for the record, since it
    /// gives nothing away.
    private func record(
        _ refusal: (code: String, reason: String), _ explanation: () -> String, _ outcome: AuditRecord.Outcome,
        _ call: TokenCall, _ principal: Principal?
    ) -> Bool {
        let repeated = RepeatedRefusal(outcome, refusal, of: principal, from: call.client)
        guard refusals.isSeparate(repeated, of: principal) else { return false }
        guard let audit else { return true }
        var record = record(outcome, call, principal)
        record.refusal = (refusal.code, explanation())
        audit.append(record.opening())
        return true
    }

    private func metadata(_ call: TokenCall, _ refusal: CallerRefusal) -> Logger.Metadata {
        let reason = refusal.explanation(naming: label.naming, maxBytes: AuditRecord.maxReason)
        var metadata: Logger.Metadata = [
            "request_id": "\(call.identity.ownText)", "code": "\(refusal.problem.code)", "reason": "\(reason)",
        ]
        if let given = call.identity.givenID { metadata["client_request_id"] = "\(given)" }
        if let trace = call.identity.trace?.parent { metadata["trace_id"] = "\(trace.traceID)" }
        return metadata
    }

    private func record(_ outcome: AuditRecord.Outcome, _ call: TokenCall, _ principal: Principal?) -> AuditRecord {
        var record = AuditRecord(
            outcome, requestID: call.identity.ownText, peer: call.client?.description ?? AuditRecord.socketPeer)
        record.clientRequestID = call.identity.givenID
        record.principal = principal.flatMap(AuditRecord.named)
        if case .success(let wanted) = call.wanted { record.claims = wanted.claims }
        return record
    }
}

/// How the access log names an id.
package enum IDLabel: Sendable {
    /// As a keyed digest: requests for the same id can be matched without the id.
    case digest(KeyedDigest)
    /// Unchanged.
    case plain
    /// Not at all, if requests are not logged.
    case none

    /// Whether requests are not logged.
    var isNone: Bool {
        if case .none = self { true } else { false }
    }

    /// For example `consumer:8d5f2c0a91b7e346`. Ids are separated by commas, of more than two the others are counted
    /// (`a,b,+498`), and a wildcard is `*`.
    func text(for claims: PrivateClaims) -> String {
        guard !isNone else { return "" }
        let ids = claims.ids
        var names = ids.prefix(Self.maxNamed).map { name($0.text) }
        // A client sends a batch in few bytes, and each digest costs a microsecond.
        if ids.count > names.count { names.append("+\(ids.count - names.count)") }
        return "\(claims.kind.rawValue):\(names.isEmpty ? PrivateClaimName.wildcard : names.joined(separator: ","))"
    }

    /// How a reason in the log names an id; nil if it does not.
    var naming: ((FleetEngineID) -> String)? {
        switch self {
        case .none: nil
        case .plain: { ReceivedValue.text($0) }
        case .digest: { name($0.text) }
        }
    }

    /// The name of an unknown path, which may contain an id anywhere: its keyed digest, or the path up to `end`, cut if too
    /// long. A path that seems to contain an API key or a token is not logged.
    func path(_ path: Span<UInt8>, to end: Int) -> String {
        switch self {
        case .none: return ""
        case .digest(let digest):
            let text = String(decoding: (0..<path.count).map { path[$0] }, as: UTF8.self)
            return (try? digest.hex(text)).map { "unknown:\($0)" } ?? "-"
        case .plain: break
        }
        let length = min(end, Self.maxPath)
        let text = String(decoding: (0..<length).map { path[$0] }, as: UTF8.self)
        let decoded = PercentEncoding.decode(path, 0..<path.count).map { String(decoding: $0, as: UTF8.self) }
        guard let decoded, APIKey.beginning(in: decoded.utf8) == nil, !decoded.contains("eyJ") else { return "-" }
        return length < path.count ? "\(text)…" : text
    }

    private static let maxNamed = 2

    /// The longest unknown path in the access log, in bytes.
    private static let maxPath = 128

    private func name(_ id: String) -> String {
        guard case .digest(let digest) = self else { return APIKey.beginning(in: id.utf8) == nil ? id : "-" }
        // If the digest fails, the log has less, never more.
        return (try? digest.hex(id)) ?? "-"
    }
}
