import AuditLog
import Concurrency
import FleetEngineToken
import GoogleCredentials
import HTTPClient
import HTTPServer
import HTTPServerTLS
import StrictJSON
import Synchronization
import TokenService

/// Whether the daemon can answer a token request with a token, and why not.
final class Readiness: Sendable {
    /// What must be in order, by its name in the answer and in metrics.
    enum Check: String, CaseIterable {
        /// Every key of this program makes signatures that verify. If Google or a key in hardware makes none, tokens of
        /// other kinds are signed, or cached tokens last.
        case signing
        /// The audit log can be written.
        case audit
        /// Every server certificate is valid and, if a listener demands client certificates, so is the trust in those.
        case certificates
        /// The fetched keys of each issuer have arrived once. After that it never fails again: one issuer's outage must not
        /// affect callers of others, and a restarted daemon would have no keys at all.
        case issuers
        /// The daemon accepts requests and does not drain.
        case serving
    }

    /// The result of one check.
    struct Finding {
        let check: Check
        /// Why it fails; nil if it does not.
        var failure: String?
        /// What is wrong although it passes.
        var warning: String?
        /// What to do about either.
        var remedy: Remedy?
    }

    /// Nanoseconds. A signature costs as much as thousands of cached tokens, so requests share its result.
    private static let probeInterval: UInt64 = 5_000_000_000

    private let current: Swappable<ServingState>
    /// Whether at least one listener for apps demands client certificates.
    let demandsCertificates: Bool
    private let isDraining = Atomic(false)
    private let lastProbe = Guarded<(failure: String?, until: UInt64)>((nil, 0))

    init(_ current: Swappable<ServingState>, demandsCertificates: Bool) {
        (self.current, self.demandsCertificates) = (current, demandsCertificates)
    }

    /// Nil without an audit log.
    private var audit: AuditRecorder? { current.now.retained.audit }

    /// Nil without TLS.
    var tls: TLSServer? { current.now.tls.server }

    /// Makes the daemon not ready from now on.
    func drain() { isDraining.store(true, ordering: .releasing) }

    /// Whether several tokens are signed at once.
    var signsBatches: Bool { current.now.signers.batches.areUsed }

    /// Whether keys are in a process of their own.
    var hasSigningProcess: Bool { current.now.signers.areSeparate }

    /// The result of each check that applies. May take as long as a signature.
    func findings(at time: ServerTime) -> [Finding] {
        let checks = Check.allCases.filter { check in
            switch check {
            case .audit: audit != nil
            case .certificates: tls != nil
            case .issuers: issuers?.feeds.isEmpty == false
            case .signing, .serving: true
            }
        }
        return checks.map { check in
            var finding = finding(of: check, at: time)
            if let reason = finding.failure { finding.remedy = finding.remedy ?? remedy(of: check, reason, at: time) }
            return finding
        }
    }

    /// What is wrong although the checks pass: their own warnings, and those of certificates.
    func warnings(_ findings: [Finding], at now: Int64) -> [String] {
        findings.compactMap(\.warning) + (tls?.certificates ?? []).flatMap { $0.warnings(at: now) }
            + (tls?.trust?.warnings(at: now) ?? [])
    }

    private func finding(of check: Check, at time: ServerTime) -> Finding {
        var failure: String?
        switch check {
        case .signing: return signing(at: time)
        case .audit: if case .failing(let reason)? = audit?.state { failure = reason }
        case .certificates: failure = tls.flatMap { certificateFailure($0, at: time.epochSeconds) }
        case .issuers: return fetchedKeys
        case .serving:
            let clock = ClockWatch.shared.intolerable
            return Finding(
                check: .serving, failure: isDraining.load(ordering: .acquiring) ? "draining" : nil,
                warning: clock?.sentence, remedy: clock.map { _ in .setClock })
        }
        return Finding(check: check, failure: failure)
    }

    var issuers: IssuerSetup? { current.now.callers.issuers }

    private var fetchedKeys: Finding {
        let failing = (issuers?.sortedFeeds ?? []).filter { $0.outage != nil }
        let missing = failing.filter { !$0.hasFetched }.map(\.issuer).joined(separator: ", ")
        let lost = failing.filter(\.hasFetched).compactMap(\.outage).joined(separator: "; ")
        return Finding(
            check: .issuers, failure: missing.isEmpty ? nil : "keys were not fetched yet: \(missing)",
            warning: lost.isEmpty ? nil : lost,
            remedy: Self.remedy(of: failing.map { $0.lastFailure?.remedy ?? .awaitKeys }))
    }

    private func certificateFailure(_ tls: TLSServer, at now: Int64) -> String? {
        let served = tls.certificates.lazy.compactMap { $0.failure(at: now) }.first
        return served ?? (demandsCertificates ? tls.trust?.failure(at: now) : nil)
    }

    private func signing(at time: ServerTime) -> Finding {
        if let outage = current.now.signers.separateOutage {
            return Finding(check: .signing, failure: outage, remedy: .awaitProcess)
        }
        // What is known of Google and of hardware needs no probe: a daemon is ready as soon as it has an access token.
        return keyFailure(at: time.monotonic).map { Finding(check: .signing, failure: $0, remedy: .replaceKey) }
            ?? remote(at: time.epochSeconds)
    }

    private func keyFailure(at now: UInt64) -> String? {
        lastProbe.withLock { last in
            if now < last.until { return last.failure }
            last = (probe(), now + Readiness.probeInterval)
            return last.failure
        }
    }

    private func probe() -> String? {
        // Keys in hardware try by themselves, since a token may not answer.
        for signer in current.now.signers.distinct where signer.inHardware == nil {
            do { try signer.probe() } catch { return "key \(signer.keyID): \(error.sentence)" }
        }
        return nil
    }

    private func remote(at now: Int64) -> Finding {
        let state = current.now
        guard let outages = SigningOutages(state, at: now) else {
            let exhaustion = (state.remote?.figures.exhaustion).map { ProbeFailure($0.reason, $0.remedy) }
            let fault = state.signers.batches.fault.map { ProbeFailure($0, .replaceLibrary) }
            let warnings = [exhaustion, fault].compactMap(\.self) + (state.publication?.unpublished ?? [])
            return Finding(
                check: .signing,
                warning: warnings.isEmpty ? nil : warnings.map(\.detail).joined(separator: "; "),
                remedy: Self.remedy(of: warnings.map(\.remedy)))
        }
        // Not ready would also keep away the clients who still get tokens.
        return Finding(
            check: .signing, failure: outages.areTotal ? outages.reason : nil,
            warning: outages.areTotal ? nil : outages.sentence, remedy: Self.remedy(of: outages.failures.map(\.remedy)))
    }
}
