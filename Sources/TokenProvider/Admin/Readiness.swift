import FleetEngineToken
import HTTPServer
import Locking
import OpenSSLSigner
import Synchronization

/// `GET /readyz`: whether a request for a token could be answered with one, and what is in its way.
final class Readiness: Sendable {
    /// What must be well, by the name that it is reported under.
    enum Check: String, CaseIterable {
        /// Every key gives signatures that verify.
        case signing
        /// The audit trail can be written.
        case audit
        /// The daemon takes requests, and does not end.
        case serving
    }

    /// A signature is worth a few thousand cached tokens, so one is not made for everybody who asks.
    private static let probeInterval: UInt64 = 5_000_000_000

    private let signers: [RS256Signer]
    /// Nil if no trail is kept.
    private let audit: AuditLog?
    private let isDraining = Atomic(false)
    private let lastProbe = Guarded<(failure: String?, until: UInt64)>((nil, 0))

    /// Readiness to sign with these keys, of which each may be there more than once.
    init(_ signers: Signers, _ audit: AuditLog?) {
        self.signers = signers.distinct
        self.audit = audit
    }

    /// From now on nothing is ready any more.
    func drain() { isDraining.store(true, ordering: .releasing) }

    func answer() -> HTTPAnswer {
        .afterWork { [self] time in
            let checks = Check.allCases.filter { $0 != .audit || audit != nil }
            return .now(response(checks.map { ($0, failure(of: $0, at: time)) }))
        }
    }

    /// Why a check is red; nil if it is green.
    private func failure(of check: Check, at time: ServerTime) -> String? {
        switch check {
        case .signing: return signingFailure(at: time.monotonic)
        case .audit:
            guard case .failing(let reason)? = audit?.state else { return nil }
            return reason
        case .serving: return isDraining.load(ordering: .acquiring) ? "draining" : nil
        }
    }

    private func signingFailure(at now: UInt64) -> String? {
        lastProbe.withLock { last in
            if now < last.until { return last.failure }
            last = (probe(), now + Readiness.probeInterval)
            return last.failure
        }
    }

    private func probe() -> String? {
        for signer in signers {
            do {
                try signer.probe()
            } catch {
                return "key \(signer.keyID): \(error.sentence)"
            }
        }
        return nil
    }

    private func response(_ checks: [(check: Check, failure: String?)]) -> HTTPResponse {
        let isReady = checks.allSatisfy { $0.failure == nil }
        var json = JSONWriter()
        json.object { json in
            json.member("ready", isReady)
            json.key("checks")
            json.object { json in
                for (check, failure) in checks { json.member(check.rawValue, failure ?? "ok") }
            }
        }
        return AdminDocuments.response(.readiness, json.bytes, status: isReady ? .ok : .serviceUnavailable)
    }
}
