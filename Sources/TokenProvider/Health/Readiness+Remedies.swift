import FleetEngineToken
import Glibc
import HTTPServer
import HTTPServerTLS

/// What to do about a failing check, by its actual reason.
extension Readiness {
    /// The remedy for this reason of a check; nil if the check has given one, or there is nothing to do.
    func remedy(of check: Check, _ reason: String, at time: ServerTime) -> Remedy? {
        switch check {
        case .signing, .issuers: nil
        case .audit: Self.auditRemedy(reason)
        case .certificates: tls.flatMap { certificateRemedy($0, at: time.epochSeconds) }
        case .serving: Remedy("send clients to another replica until this one has started again")
        }
    }

    /// What to do about several reasons, each thing once; nil for none.
    static func remedy(of reasons: [Remedy]) -> Remedy? {
        let distinct = reasons.reduce(into: [Remedy]()) { found, remedy in
            if !found.contains(remedy) { found.append(remedy) }
        }
        guard !distinct.isEmpty else { return nil }
        return Remedy(distinct.map(\.cure).joined(separator: "; "), distinct.flatMap(\.commands))
    }

    /// The log's writer gives the system's reason for errno, or names what happened to the file or its reader.
    static func auditRemedy(_ reason: String) -> Remedy {
        let known: [(words: String, cure: String)] = [
            (words(ENOSPC), "free space where the audit log is, or move the log to a larger file system"),
            (words(EDQUOT), "raise the quota of the daemon's account, or free space"),
            (words(EROFS), "mount the file system of the audit log writable"),
            (words(EACCES), "let the daemon's account write the audit log"),
            (words(EPERM), "let the daemon's account write the audit log"),
            (words(EIO), "check the disk of the audit log; the kernel's log has more"),
            ("was removed", "restore the file, or send SIGHUP after each rotation"),
            ("does not exist", "make the folder of the audit log, owned by the daemon's account"),
            ("reader does not read", "start the program again that reads the audit log"),
        ]
        let cure = known.first { reason.contains($0.words) }?.cure
        return Remedy("\(cure ?? "make the audit log writable"); tokens are given again once a record is stored")
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

    private func certificateRemedy(_ tls: TLSServer, at now: Int64) -> Remedy? {
        if let period = tls.certificates.lazy.compactMap({ $0.failedValidityPeriod(at: now) }).first {
            return Self.remedy(of: period, at: now, "the renewed certificate and its chain")
        }
        guard demandsCertificates, let trust = tls.trust else { return nil }
        if let period = trust.authorityValidityPeriods.first(where: { $0.failure(at: now) != nil }) {
            return Self.remedy(of: period, at: now, "the current certificate of this client authority")
        }
        if let period = trust.revocationValidityPeriods.first(where: { $0.failure(at: now) != nil }) {
            return Self.remedy(of: period, at: now, "the authority's current revocation list")
        }
        return Remedy(
            "add the missing issuer or revocation list to tls.client_ca_file or tls.client_crl_file", [Self.reload])
    }

    static func remedy(of period: ValidityPeriod, at now: Int64, _ replacement: String) -> Remedy {
        if now < period.validity.lowerBound {
            return Remedy(
                "set this machine's clock if it is slow; otherwise wait, or install \(replacement)", ["date -u"])
        }
        return Remedy("install \(replacement)", [reload])
    }

    fileprivate static let reload = "token-provider reload"
}

extension Remedy {
    /// For a key file that makes no signatures.
    static let replaceKey = Remedy(
        "put a new key of the account in place of this file", ["token-provider check", Readiness.reload])
    /// For an issuer that was not asked yet.
    static let awaitKeys = Remedy("wait for the first answer of the provider")
    /// For a process with keys that ended.
    static let awaitProcess = Remedy(
        "wait some seconds; if this stays, find in the log why the signing process ends",
        ["journalctl -u token-provider"])
    /// For a library whose signatures were wrong.
    static let replaceLibrary = Remedy(
        "replace Intel's crypto_mb or set signing.batch to off, then restart the daemon",
        ["systemctl restart token-provider"])
}
