import CLinux
import Glibc
import ServiceConfiguration
import SystemFiles

/// This machine as the service's daemon will see it at its next start: a process of root takes over the user and the variables
/// of the unit, with copies of its credentials. Use it while the process has one thread.
struct ServiceView {
    let unit: ServiceUnit
    /// Such as "token-provider.service, by the user token-provider".
    let name: String
    private let user: uid_t
    private static let parent = "/run/credentials"
    private static let copies = "\(parent)/\(ServiceUnit.name)"

    /// Takes over; throws if systemd would not start the service.
    init(_ unit: ServiceUnit) throws(ConfigurationErrors) {
        let number = uid_t(unit.user)
        let account = (getpwnam(unit.user) ?? number.flatMap { getpwuid($0) })?.pointee
        guard account != nil || number != nil || unit.isDynamic else {
            throw Self.refusal("its user \(unit.user) does not exist; expected User= to name one of this machine")
        }
        // The user of a run that is yet to come owns nothing.
        let nobody: uid_t = 65534
        self.unit = unit
        user = account?.pw_uid ?? number ?? nobody
        name =
            "\(ServiceUnit.name), by the user \(unit.user)"
            + (account == nil && number == nil ? ", which systemd makes" : "")
        try Self.copy(Self.credentials(unit), for: user)
        exposeFolders()
        become(unit.variables(credentials: Self.copies), group: account?.pw_gid ?? user, account?.pw_name)
    }

    /// The result of what only root can do, such as reading a folder that systemd will give to the daemon.
    func asRoot<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        Self.change(to: 0)
        defer { Self.change(to: user) }
        return try body()
    }

    private func become(_ variables: [String: String], group: gid_t, _ account: UnsafePointer<CChar>?) {
        clearenv()
        for (name, value) in variables { setenv(name, value, 1) }
        setenv("CREDENTIALS_DIRECTORY", Self.copies, 1)
        let own = unit.words("Group").last.flatMap(Self.group) ?? group
        if let account { initgroups(account, own) } else { setgroups(0, nil) }
        var groups = [gid_t](repeating: own, count: Int(getgroups(0, nil)))
        getgroups(Int32(groups.count), &groups)
        groups += unit.words("SupplementaryGroups").compactMap(Self.group)
        setgroups(groups.count, groups)
        setegid(own)
        Self.change(to: user)
    }

    private static func group(_ name: String) -> gid_t? { getgrnam(name)?.pointee.gr_gid }

    /// Shows the daemon's folders, which systemd keeps where other users cannot reach them (systemd.exec(5), DynamicUser=).
    private func exposeFolders() {
        for (key, base) in ServiceUnit.managed {
            let parent = "\(base)/private"
            let folders: [(path: String, descriptor: Int32)] = unit.words(key).map { name in
                ("\(parent)/\(name)", clinux_open_place("\(parent)/\(name)"))
            }
            guard folders.contains(where: { $0.descriptor >= 0 }), clinux_mount_memory(parent) == 0 else { continue }
            for (path, folder) in folders where folder >= 0 {
                if mkdir(path, 0o755) == 0 { _ = clinux_bind_folder(folder, path) }
                close(folder)
            }
        }
    }

    /// The saved user stays root. The real one changes too, since access(2) asks for its rights.
    private static func change(to user: uid_t) {
        seteuid(0)
        setreuid(user, uid_t.max)
        seteuid(user)
    }

    private static func refusal(_ reason: String) -> ConfigurationErrors {
        ConfigurationErrors(sentences: ["systemd would not start \(ServiceUnit.name): \(reason)"])
    }

    private static func failure(_ what: String) -> ConfigurationErrors {
        ConfigurationErrors(sentences: ["\(what): \(String(cString: strerror(errno)))"])
    }

    // MARK: Credentials

    /// The contents by their names, as systemd finds them: a file that exists comes before what the unit has.
    private static func credentials(_ unit: ServiceUnit) throws(ConfigurationErrors) -> [String: [UInt8]] {
        var contents = unit.setCredentials.mapValues { Array($0.utf8) }
        for (name, path) in unit.loadedCredentials {
            do {
                contents[name] = try SystemFile(path: path).read(atMost: 1 << 20)
            } catch {
                guard error.isMissing, contents[name] != nil else {
                    throw refusal("LoadCredential=\(name): \(path) \(error.predicate)")
                }
            }
        }
        return contents
    }

    /// Writes them where systemd does, in memory that this process alone sees.
    private static func copy(_ contents: [String: [UInt8]], for user: uid_t) throws(ConfigurationErrors) {
        mkdir(parent, 0o755)
        guard clinux_own_mounts() == 0, clinux_mount_memory(parent) == 0, mkdir(copies, 0o500) == 0 else {
            throw failure("\(parent): no memory can be mounted for copies of credentials, which --here does not need")
        }
        for (name, content) in contents {
            let path = "\(copies)/\(name)"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o400)
            guard descriptor >= 0 else { throw failure("\(path) cannot be written") }
            defer { close(descriptor) }
            let isWritten = (try? SystemCall.writeAll(content, to: descriptor)) != nil
            guard isWritten, fchown(descriptor, user, gid_t.max) == 0 else {
                throw failure("\(path) cannot be written")
            }
        }
        chown(copies, user, gid_t.max)
    }
}
