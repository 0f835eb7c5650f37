import Foundation
import TestSupport
import Testing

/// The real binary confines itself, and goes on to do all that its configuration needs.
@Suite(.blocking) struct SandboxTests {
    private static let reloaded = "the configuration was reloaded"
    private static var confined: Regex<Substring> {
        #/confined by Landlock \(version \d+: files.*\) and a filter of system calls/#
    }

    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    /// The values of a field of /proc/PID/task/TID/status, one for each thread.
    private func field(_ name: String, of process: Int32) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").map { thread in
            let status = try Program.mustRun("cat", ["/proc/\(process)/task/\(thread)/status"])
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("\(name):") })
            return try #require(line.split(separator: "\t").last).description
        }
    }

    @Test func `every thread is confined, and says so once`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key, environment: DaemonProcess.withAdmin)
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        #expect(try Curl("\(daemon.adminURL())/metrics").status == 200)
        try daemon.waitForLog("confined by")
        #expect(try daemon.log().matches(of: Self.confined).count == 1)
        let modes = try field("Seccomp", of: daemon.process.identifier)
        #expect(modes.count > 2)
        #expect(Set(modes) == ["2"])
        #expect(Set(try field("NoNewPrivs", of: daemon.process.identifier)) == ["1"])
        #expect(try daemon.end() == 0)
    }

    @Test func `sandbox off leaves it as it was started`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key, environment: ["TOKEN_PROVIDER_SANDBOX": "off"])
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        let own = try Set(field("Seccomp", of: getpid()))
        #expect(try Set(field("Seccomp", of: daemon.process.identifier)) == own)
        #expect(try daemon.end() == 0)
        #expect(try !daemon.log().contains("confined"))
    }

    @Test func `a reload to a folder unknown at the start says restart`() throws {
        let elsewhere = try Scratch()
        let other = try ServiceAccountFile(in: elsewhere, keyID: "other-key")
        let configuration = "listen: 127.0.0.1:0\ncallers: none\ncredentials: "
        let path = try scratch.write("token-provider.yaml", configuration + key.path)
        let daemon = try DaemonProcess(["serve", "--config", path], scratch: scratch)
        try scratch.write("token-provider.yaml", configuration + other.path)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog(
            "not reloaded; the previous configuration stays reason=\"\(other.path): cannot be opened: its folder is "
                + "not one of those that the configuration named at the start, and the sandbox allows no other; restart "
                + "to apply\"")
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        #expect(try daemon.end() == 0)
        let restarted = try DaemonProcess(["serve", "--config", path], scratch: scratch)
        #expect(try Curl("\(restarted.url)/token?tripID=a").status == 200)
    }

    @Test func `a reload names libraries' files that only a restart allows`() throws {
        let elsewhere = try Scratch()
        let authorities = try elsewhere.write("authorities.pem", "")
        let configuration = "listen: 127.0.0.1:0\ncallers: none\ncredentials: key.json\n"
        let path = try scratch.write("token-provider.yaml", configuration)
        let daemon = try DaemonProcess(["serve", "--config", path], scratch: scratch)
        try scratch.write("token-provider.yaml", configuration + "outgoing: {ca_file: \(authorities)}\n")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("outgoing.ca_file: \(authorities) cannot be opened: its folder is not one")
        try scratch.write("token-provider.yaml", configuration + "pkcs11: {module: /usr/lib/module.so}\n")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("pkcs11.module: is new, and the sandbox of a start without it")
    }

    @Test func `a certificate renewed behind other links is served after a reload`() throws {
        let files = try TLSFiles()
        let archive = try Scratch()
        try files.authority.certify("renewed")
        for (name, number) in [("server", 1), ("renewed", 2)] {
            for end in ["pem", "key"] {
                let bytes = try files.authority.bytes("\(name).\(end)")
                try archive.write("server\(number).\(end)", String(decoding: bytes, as: UTF8.self))
            }
        }
        try link(files, to: archive, 1)
        let (daemon, url) = try files.daemon()
        let first = try serial(url)
        try link(files, to: archive, 2)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog(Self.reloaded)
        #expect(try serial(url) != first)
        #expect(try files.ask(url).status == 200)
    }

    /// As certbot does: the configuration's names stay, and link to the newest files of another folder.
    private func link(_ files: TLSFiles, to archive: Scratch, _ number: Int) throws {
        for end in ["pem", "key"] {
            let place = files.scratch.path("server.\(end)")
            try? FileManager.default.removeItem(atPath: place)
            try FileManager.default.createSymbolicLink(
                atPath: place, withDestinationPath: archive.path("server\(number).\(end)"))
        }
    }

    private func serial(_ url: String) throws -> String {
        let port = url.split(separator: ":").last ?? ""
        let shown = try Program.run("openssl", ["s_client", "-connect", "127.0.0.1:\(port)"]).output
        let certificate = try #require(shown.split(separator: "-----BEGIN CERTIFICATE-----").last)
        return String(certificate.prefix(500))
    }
}
