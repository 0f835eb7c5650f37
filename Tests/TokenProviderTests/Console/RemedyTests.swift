import FleetEngineToken
import Glibc
import Testing

@testable import HTTPServerTLS
@testable import TokenProvider

/// What the console says to do about a failing check.
@Suite struct RemedyTests {
    @Test(
        arguments: [
            ("cannot be written: \(String(cString: strerror(ENOSPC)))", "free space"),
            ("cannot be synchronized: \(String(cString: strerror(EIO)))", "check the disk"),
            ("cannot be opened: \(String(cString: strerror(EACCES)))", "let the daemon's account write"),
            ("cannot be written: \(String(cString: strerror(EROFS)))", "mount the file system"),
            ("was removed; expected it to be renamed, and SIGHUP to be sent then", "restore the file"),
            ("cannot be written: its reader does not read", "start the program again"),
            ("something new", "make the audit log writable;"),
        ])
    func `each reason of the audit log has its cure`(reason: String, cure: String) {
        #expect(Readiness.auditRemedy("/var/log/audit: \(reason)").cure.hasPrefix(cure))
    }

    @Test func `several reasons have each cure once`() {
        let (one, other) = (Remedy("do this", ["a"]), Remedy("do that", ["b"]))
        #expect(Readiness.remedy(of: [one, other, one]) == Remedy("do this; do that", ["a", "b"]))
        #expect(Readiness.remedy(of: []) == nil)
    }

    @Test func `a period that has not begun has its own cure`() {
        let period = ValidityPeriod(
            "a", 1000...2000, warning: .certificate, of: "/a.pem: the certificate", otherwise: "so clients refuse it")
        let early = Readiness.remedy(of: period, at: 999, "the renewed certificate")
        #expect(early.cure.hasPrefix("set this machine's clock if it is slow; otherwise wait, or install the renewed"))
        #expect(early.commands == ["date -u"])
        let late = Readiness.remedy(of: period, at: 2001, "the renewed certificate")
        #expect(late.cure == "install the renewed certificate" && late.commands == ["token-provider reload"])
    }
}
