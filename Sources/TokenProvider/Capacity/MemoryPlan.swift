import CallerAccess
import Glibc
import HTTPServer
import ServiceConfiguration
import SystemFiles
import TokenService

/// Where memory may go: what clients may hold, what has bounds of its own, and the limit that all of it has to fit.
struct MemoryPlan {
    /// The program itself, with its libraries and keys, full queues of the logs, and the clients of the admin listener.
    static let program = 24 << 20
    /// What clients of the admin listener may hold, of `program`.
    static let admin = 8 << 20
    /// The tables of limits have this many bytes for each entry, and there are three of them.
    static let entry = 3 * 16
    /// An idle connection with TLS and HTTP/2, the kernel's part included.
    private static let secureConnection = 28 << 10

    let limit: MemoryLimit
    /// What clients may hold in all, and of one address.
    let clients: MemoryLimits
    /// Cached tokens and the plans of their renewal, those of callers that were verified, and decisions.
    private let caches: Int
    /// The tables of limits.
    private let tables: Int
    private let maxConnections: Int

    /// The plan of a configuration under this limit.
    init(_ values: Configuration, within limit: MemoryLimit = .current()) {
        self.limit = limit
        clients = MemoryLimits(values.limits)
        caches =
            values.cache.maxBytes + values.cache.maxBytes / RemoteMint.planPart
            + (values.forwardAuth.url == nil ? 0 : values.forwardAuth.cacheBytes)
            + (values.issuers.isEmpty ? 0 : BearerTokenVerifier.usualCacheBytes)
        tables = values.limits.maxEntries * Self.entry
        maxConnections = values.http.maxConnections
    }

    /// What is not for clients, in bytes.
    var others: Int { caches + tables + Self.program }

    /// All of it, in bytes.
    var sum: Int { clients.total + others }

    /// How many idle connections clients may have: plain ones, and ones with TLS and HTTP/2.
    private var idle: (plain: Int, secure: Int) {
        (clients.total / MemoryFootprint.connection, clients.total / Self.secureConnection)
    }

    /// What there is, a sentence each.
    var sentences: [String] {
        [
            "memory: \(text(clients.total)) for clients, \(text(caches)) for caches, \(text(tables)) for the tables of "
                + "limits and \(text(Self.program)) for the program are \(text(sum)) of \(text(limit.bytes)), "
                + limit.source.rawValue,
            "connections: clients may have \(idle.plain) idle ones, or \(idle.secure) with TLS and HTTP/2; "
                + "http.max_connections is \(maxConnections)",
        ]
    }

    /// What does not fit.
    var warnings: [String] {
        var warnings: [String] = []
        if sum > limit.bytes {
            warnings.append(
                "clients, caches and tables may take \(text(sum)) of memory, but \(limit.source.rawValue) is "
                    + "\(text(limit.bytes)); expected less for limits.memory (\(text(clients.total))), cache.max_bytes or "
                    + "limits.max_entries")
        }
        if idle.plain < maxConnections {
            warnings.append(
                "http.max_connections is \(maxConnections), but limits.memory (\(text(clients.total))) suffices for "
                    + "\(idle.plain) idle connections; expected more memory or fewer connections")
        }
        return warnings
    }

    private func text(_ bytes: Int) -> String { "\((bytes + (1 << 19)) >> 20)MiB" }
}

extension MemoryLimits {
    /// What clients may hold under a configuration.
    init(_ limits: Configuration.Limits) {
        self.init(total: limits.memory ?? MemoryLimits.largestDefault, perAddress: limits.memoryPerAddress)
    }
}

/// How much memory this process may use: the limit of its control group, or what the machine has.
struct MemoryLimit: Equatable {
    enum Source: String {
        case controlGroup = "the cgroup's limit"
        case machine = "the machine's memory"
    }

    let bytes: Int
    let source: Source

    /// The limit of this process.
    static func current() -> MemoryLimit {
        let machine = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return MemoryLimit(machine: machine, reading: ControlGroup.text)
    }
}

extension MemoryLimit {
    /// The least of the limits that `read` finds in the files of version 2 (Linux' cgroup-v2.rst: memory.max) and of
    /// version 1 (memory.rst: memory.limit_in_bytes), for the group and those above it, if it is under the machine's
    /// bytes. Nothing tells whether a group's path is as seen from here or from outside a container, so the root of what
    /// is mounted is always asked, too.
    init(machine: Int, reading read: (String) -> String?) {
        let groups = ControlGroup.all(in: read(ControlGroup.list) ?? "").filter(\.limitsMemory)
        let limits = groups.flatMap(\.limitFiles).compactMap { read($0) }.compactMap { text in
            Int(text.prefix { $0 != "\n" })
        }
        let least = limits.filter { $0 > 0 }.min() ?? .max
        (bytes, source) = least < machine ? (least, .controlGroup) : (machine, .machine)
    }
}
