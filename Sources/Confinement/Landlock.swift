import CLinux
import Glibc

/// The kernel's Landlock (landlock(7)).
enum Landlock {
    /// What the versions limit, besides files.
    private static let (portsSince, scopesSince) = (4, 6)
    /// LANDLOCK_ACCESS_NET_BIND_TCP. Connections are not limited: their ports change with the configuration.
    private static let bindTCP: UInt64 = 1
    /// LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET and LANDLOCK_SCOPE_SIGNAL.
    private static let (abstractSockets, signals): (UInt64, UInt64) = (1, 2)

    /// The version that the kernel offers.
    static func version() throws(SandboxFault) -> Int {
        let version = clinux_landlock_version()
        guard version > 0 else { throw SandboxFault() }
        return Int(version)
    }

    /// Limits this thread and those that it starts from now on to a profile, as far as the version can. Returns what is
    /// limited.
    static func restrict(to profile: SandboxProfile, _ version: Int) throws(SandboxFault) -> [String] {
        let known = FileRights.known(to: version)
        let scopes = version < scopesSince ? 0 : signals | (profile.usesAbstractSockets ? 0 : abstractSockets)
        var limits = clinux_landlock_limits(
            files: known.rawValue, ports: version < portsSince || profile.ports == nil ? 0 : bindTCP, scopes: scopes)
        let limited = [
            (limits.files, profile.places == nil ? "writing in /proc" : "files"), (limits.ports, "TCP ports"),
            (scopes & abstractSockets, "abstract sockets"),
            (scopes & signals, "signals"),
        ].filter { $0.0 != 0 }.map(\.1)
        let ruleset = clinux_landlock_create(&limits)
        guard ruleset >= 0 else { throw SandboxFault() }
        defer { close(ruleset) }
        for (place, rights) in profile.places ?? allButProcesses(known) {
            try allow(rights.intersection(known), at: place, in: ruleset)
        }
        for port in limits.ports == 0 ? [] : profile.ports ?? [] {
            guard clinux_landlock_allow_port(ruleset, port, bindTCP) == 0 else { throw SandboxFault() }
        }
        guard clinux_landlock_restrict(ruleset) == 0 else { throw SandboxFault() }
        return limited
    }

    /// All rights of all files, except to change those of /proc: as root, a process could write its code by /proc/self/mem. Landlock
    /// only adds rights, so each folder in / has that one.
    private static func allButProcesses(_ known: FileRights) -> [String: FileRights] {
        let places = PathPlaces.entries(of: "/", without: "/proc").map { (PathPlaces.join("/", $0), FileRights.change) }
        return Dictionary(uniqueKeysWithValues: [("/", known.subtracting(.change))] + places)
    }

    /// A place that does not exist has no rights.
    private static func allow(_ rights: FileRights, at place: String, in ruleset: Int32) throws(SandboxFault) {
        let descriptor = clinux_open_place(place)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SandboxFault() }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let rights = isFolder ? rights : rights.intersection(.ofFiles)
        guard !rights.isEmpty else { return }
        guard clinux_landlock_allow_path(ruleset, descriptor, rights.rawValue) == 0 else { throw SandboxFault() }
    }
}
