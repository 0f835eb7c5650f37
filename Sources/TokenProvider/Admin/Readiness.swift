import AuditLog
import FleetEngineToken
import HTTPServer
import HTTPServerTLS
import Locking
import StrictJSON
import Synchronization
import TokenService

/// `GET /readyz`: whether a request for a token could be answered with one, and what is in its way.
final class Readiness: Sendable {
    /// What must be well, by the name that it is reported under.
    enum Check: String, CaseIterable {
        /// Every key gives signatures that verify.
        case signing
        /// The audit trail can be written.
        case audit
        /// Every certificate that clients are shown is valid, and so is by whom theirs are verified where they must show one.
        case certificates
        /// The keys of each issuer have come once, where they are fetched. It never turns red again: one issuer's outage is
        /// no reason to keep the callers of others away, and whoever has its keys still is better than a successor.
        case issuers
        /// The daemon takes requests, and does not end.
        case serving
    }

    /// A signature is worth a few thousand cached tokens, so one is not made for everybody who asks.
    private static let probeInterval: UInt64 = 5_000_000_000

    private let reloader: Reloader
    /// Nil if no trail is kept.
    private let audit: AuditRecorder?
    /// Nil where https is not served.
    private let tls: TLSServer?
    /// Whether clients must show a certificate, at one listener for apps at least.
    private let demandsCertificates: Bool
    private let isDraining = Atomic(false)
    private let lastProbe = Guarded<(failure: String?, until: UInt64)>((nil, 0))

    /// Readiness to sign with the keys in force, and to serve https.
    init(_ reloader: Reloader, _ audit: AuditRecorder?, _ tls: TLSServer?, demandsCertificates: Bool) {
        (self.reloader, self.audit, self.tls) = (reloader, audit, tls)
        self.demandsCertificates = demandsCertificates
    }

    /// From now on nothing is ready any more.
    func drain() { isDraining.store(true, ordering: .releasing) }

    func answer() -> HTTPAnswer {
        .afterWork { [self] time in .now(response(findings(at: time), at: time)) }
    }

    /// What each check has found: why it is red, nil if it is green. It may take as long as a signature.
    func findings(at time: ServerTime) -> [(check: Check, failure: String?)] {
        let checks = Check.allCases.filter { check in
            switch check {
            case .audit: audit != nil
            case .certificates: tls != nil
            case .issuers: issuers?.feeds.isEmpty == false
            case .signing, .serving: true
            }
        }
        return checks.map { ($0, failure(of: $0, at: time)) }
    }

    /// Why a check is red; nil if it is green.
    private func failure(of check: Check, at time: ServerTime) -> String? {
        switch check {
        case .signing: return signingFailure(at: time.monotonic)
        case .audit:
            guard case .failing(let reason)? = audit?.state else { return nil }
            return reason
        case .certificates:
            return tls.flatMap { certificateFailure($0, at: time.epochSeconds) }
        case .issuers:
            guard let missing = issuers?.unfetched, !missing.isEmpty else { return nil }
            return "keys were not fetched yet: \(missing.joined(separator: ", "))"
        case .serving: return isDraining.load(ordering: .acquiring) ? "draining" : nil
        }
    }

    /// Those in force.
    private var issuers: IssuerSetup? { reloader.current.now.callers.issuers }

    private func certificateFailure(_ tls: TLSServer, at now: Int64) -> String? {
        let shown = tls.certificates.lazy.compactMap { $0.failure(at: now) }.first
        return shown ?? (demandsCertificates ? tls.trust?.failure(at: now) : nil)
    }

    private func signingFailure(at now: UInt64) -> String? {
        lastProbe.withLock { last in
            if now < last.until { return last.failure }
            last = (probe(), now + Readiness.probeInterval)
            return last.failure
        }
    }

    private func probe() -> String? {
        for signer in reloader.current.now.signers.distinct {
            do {
                try signer.probe()
            } catch {
                return "key \(signer.keyID): \(error.sentence)"
            }
        }
        return nil
    }

    private func response(_ checks: [(check: Check, failure: String?)], at time: ServerTime) -> HTTPResponse {
        let isReady = checks.allSatisfy { $0.failure == nil }
        var json = JSONWriter()
        json.object { json in
            json.member("ready", isReady)
            json.key("checks")
            json.object { json in
                for (check, failure) in checks { json.member(check.rawValue, failure ?? "ok") }
            }
            if let tls { write(tls, at: time.epochSeconds, to: &json) }
            // What is in force serves all the same.
            reloader.history.last.write(to: &json)
        }
        return AdminDocuments.response(.readiness, json.bytes, status: isReady ? .ok : .serviceUnavailable)
    }

    /// How many days are left of what ends first, of certificates, what is stapled to them and what clients' are verified by,
    /// and what is to be said of any.
    private func write(_ tls: TLSServer, at now: Int64, to json: inout JSONWriter) {
        let (certificates, trust) = (tls.certificates, tls.trust)
        for (name, periods) in [
            ("certificate_days", certificates.map(\.validityPeriod)),
            ("ocsp_response_days", certificates.compactMap(\.responseValidityPeriod)),
            ("client_authority_days", trust?.authorityValidityPeriods ?? []),
            ("revocation_list_days", trust?.revocationValidityPeriods ?? []),
        ] {
            guard let end = periods.map(\.validity.upperBound).min() else { continue }
            json.member(name, (end - now) / ValidityPeriod.daySeconds)
        }
        json.key("warnings")
        json.array { json in
            for warning in certificates.flatMap({ $0.warnings(at: now) }) + (trust?.warnings(at: now) ?? []) {
                json.value(warning)
            }
        }
    }
}
