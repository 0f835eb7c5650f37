import Foundation
import TestSupport
import Testing

/// Files in folders where others could put another one in their place are refused, and usual mounts are not.
@Suite(.blocking, .enabled(if: geteuid() == 0)) struct TrustedFolderTests {
    private let scratch: Scratch
    private let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    /// The key in a folder of this mode and owner.
    private func keyIn(_ folder: String, _ mode: mode_t, owner: uid_t = 0, group: gid_t = 0) throws -> String {
        let path = scratch.path(folder)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let copy = try scratch.write("\(folder)/key.json", scratch.text("key.json"))
        try #require(chown(path, owner, group) == 0 && chmod(path, mode) == 0)
        return copy
    }

    private func check(_ path: String, under program: [String] = []) throws -> (status: Int32, text: String) {
        let command = program + [Program.daemon, "check", "--credentials", path, "--callers", "none"]
        let outcome = try Program.run("/usr/bin/env", command)
        return (outcome.status, outcome.output + outcome.errors)
    }

    @Test(arguments: [
        (0o777, 0, 0, "where others can replace it"), (0o775, 0, 1, "where others can replace it"),
        (0o755, 1001, 0, "whose owner, user 1001, can replace it"),
        (0o1777, 1001, 0, "whose owner, user 1001, can replace it"),
        (0o1777, 0, 0, nil), (0o755, 0, 0, nil), (0o700, 0, 1001, nil),
    ])
    func `a key's folder is not one that others can write`(
        mode: mode_t, owner: uid_t, group: gid_t, problem: String?
    ) throws {
        let path = try keyIn("keys", mode, owner: owner, group: group)
        let (status, text) = try check(path)
        #expect(status == (problem == nil ? 0 : 78), "\(text)")
        if let problem {
            #expect(
                text.contains("\(path): is reached through \(scratch.path("keys")), \(problem) and so choose the key"),
                "\(text)")
        }
    }

    /// What runs a program where these services know users and groups, and these groups are in the machine's own file.
    private func naming(_ services: String, groups: String = "root:x:0:") throws -> [String] {
        let names = try scratch.write(
            "nsswitch.conf", "# users\npasswd: files\n group:\t\(services)\n", permissions: 0o644)
        let list = try scratch.write("group", "\(groups)\n", permissions: 0o644)
        let script = "mount --bind \(names) /etc/nsswitch.conf && mount --bind \(list) /etc/group && exec \"$0\" \"$@\""
        return ["unshare", "-m", "sh", "-c", script]
    }

    /// A pod's volume for files that change belongs to its `fsGroup`, which the container's files do not name.
    @Test(arguments: [
        ("files", "root:x:0:", true), ("files", "own:x:64999:root", true), ("files", "shared:x:64999:daemon", false),
        ("files", "shared:x:64999:unknown", false), ("files systemd", "root:x:0:", false),
        ("files [SUCCESS=merge] sss", "own:x:64999:root", false), ("ldap", "root:x:0:", false),
    ])
    func `a folder of a group without other members is trusted`(services: String, groups: String, isTrusted: Bool)
        throws
    {
        let path = try keyIn("keys", 0o2775, group: 64_999)
        let (status, text) = try check(path, under: naming(services, groups: groups))
        #expect(status == (isTrusted ? 0 : 78), "\(text)")
        #expect(isTrusted || text.contains("keys, where others can replace it and so choose the key"), "\(text)")
    }

    @Test func `a file's second name where all can add names is refused`() throws {
        let path = try keyIn("keys", 0o755)
        _ = try keyIn("shared", 0o1777)
        let symbolic = scratch.path("keys/link.json")
        try FileManager.default.createSymbolicLink(atPath: symbolic, withDestinationPath: path)
        for (old, name) in [(path, "old.json"), (symbolic, "link.json")] {
            let place = scratch.path("shared/\(name)")
            try #require(link(old, place) == 0)
            let (status, text) = try check(place)
            #expect(status == 78, "\(text)")
            let folder = scratch.path("shared")
            #expect(
                text.contains(
                    "has a second name (a hard link), so that others may have put it in \(folder) and so choose"),
                "\(text)")
            // Others cannot add names to the other folder.
            #expect(try check(old).status == 0)
        }
    }

    @Test(arguments: [
        (0o777, 0, "where others can replace it"), (0o755, 1001, "whose owner, user 1001, can replace it"),
    ])
    func `an audit log in a folder of others is not created`(
        mode: mode_t, owner: uid_t, problem: String
    ) throws {
        _ = try keyIn("log", mode, owner: owner)
        for setting in ["audit: {output: file, file: log/new}", "audit: {output: stdout, checkpoints: log/new}"] {
            let configuration = try scratch.write(
                "token-provider.yaml", "credentials: key.json\ncallers: none\nlisten: 127.0.0.1:0\n\(setting)\n")
            let outcome = try Program.run(
                "timeout", ["600", Program.daemon, "serve", "--config", configuration])
            #expect(outcome.status == 1, "\(outcome.errors)")
            let place = scratch.path("log")
            #expect(
                outcome.errors.contains(
                    "\(place)/new: is reached through \(place), \(problem) and so change the record; expected folders of root"
                ), "\(outcome.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["key.json"])
            let checked = try Program.run(Program.daemon, ["check", "--config", configuration])
            // Root checks on behalf of the folder's owner, as whom the daemon may run.
            #expect(checked.status == (owner == 0 ? 78 : 0), "\(checked.errors)")
        }
    }

    @Test func `an audit log is not continued in a folder of others`() throws {
        _ = try keyIn("log", 0o755)
        let configuration = try scratch.write(
            "token-provider.yaml",
            "credentials: key.json\ncallers: none\nlisten: 127.0.0.1:0\naudit: {output: file, file: log/audit}\n")
        let daemon = try DaemonProcess(["serve", "--config", configuration], scratch: scratch)
        try FileManager.default.moveItem(atPath: scratch.path("log/audit"), toPath: scratch.path("log/audit.1"))
        try #require(chmod(scratch.path("log"), 0o777) == 0)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("where others can replace it and so change the record")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("log/audit")))
        // The previous file goes on.
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        #expect(try daemon.end() == 0)
    }

    @Test func `links in folders of others, and of others, are refused`() throws {
        let path = try keyIn("keys", 0o755)
        _ = try keyIn("shared", 0o1777)
        let link = scratch.path("shared/link.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(try check(link).status == 0)
        try #require(lchown(link, 1001, 1001) == 0)
        let (status, text) = try check(link)
        #expect(
            status == 78 && text.contains("is reached through \(link), whose owner, user 1001, can replace it"),
            "\(text)")
        try #require(lchown(link, 0, 0) == 0 && chmod(scratch.path("shared"), 0o777) == 0)
        #expect(try check(link).status == 78)
    }

    @Test func `a configuration that others could replace is refused`() throws {
        let path = try keyIn("etc", 0o777)
        let configuration = try scratch.write("etc/token-provider.yaml", "credentials: \(path)\ncallers: none\n")
        let outcome = try Program.run(Program.daemon, ["check", "--config", configuration])
        #expect(outcome.status == 78 && outcome.errors.contains("and so say who may have tokens"), "\(outcome.errors)")
    }

    @Test func `volumes of Kubernetes are accepted, and their next version`() throws {
        let volume = scratch.path("volume")
        _ = try keyIn("volume", 0o3777, group: 64_999)
        for version in ["..2026_1", "..2026_2"] {
            // The kubelet lets the group read volumes of Secrets, and write none of their folders but the first, which is sticky.
            let path = try keyIn("volume/\(version)", 0o2755, group: 64_999)
            try #require(chown(path, 0, 64_999) == 0 && chmod(path, 0o640) == 0)
            try? FileManager.default.removeItem(atPath: "\(volume)/..data")
            try FileManager.default.createSymbolicLink(atPath: "\(volume)/..data", withDestinationPath: version)
            try? FileManager.default.removeItem(atPath: "\(volume)/key.json")
            try FileManager.default.createSymbolicLink(
                atPath: "\(volume)/key.json", withDestinationPath: "..data/key.json")
            let (status, text) = try check("\(volume)/key.json")
            #expect(status == 0, "\(text)")
        }
    }

    @Test func `credentials of systemd are accepted`() throws {
        let path = try keyIn("token-provider.service", 0o500)
        try #require(chmod(path, 0o440) == 0)
        let variable = "CREDENTIALS_DIRECTORY=\(scratch.path("token-provider.service"))"
        let (status, text) = try check(path, under: [variable])
        #expect(status == 0, "\(text)")
    }

    @Test(arguments: ["mounted", "mounted/key.json"])
    func `a container's mount of a folder or a file is accepted`(place: String) throws {
        // On the host others can write above it, but nobody in the container sees that.
        _ = try keyIn("host", 0o777)
        let source = try keyIn("host/keys", 0o755)
        _ = try keyIn("mounted", 0o755)
        let from = place == "mounted" ? scratch.path("host/keys") : source
        let script = "mount --bind \(from) \(scratch.path(place)) && exec \"$0\" \"$@\""
        let (status, text) = try check(scratch.path("mounted/key.json"), under: ["unshare", "-m", "sh", "-c", script])
        #expect(status == 0, "\(text)")
    }
}
