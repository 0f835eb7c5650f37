import Confinement
import HTTPServer
import SeparateSigning
import ServiceConfiguration
import SystemFiles
import TokenService

extension SandboxProfile {
    /// What the daemon needs with a configuration and these variables, now and after reloads. `file` is the path of the
    /// configuration's file, nil without one. Only with a module the signers may be unknown.
    init(
        _ values: Configuration, _ signers: Signers?, file: String?, notifying manager: ServiceManager?,
        _ environment: [String: String]
    ) {
        // A module for keys in hardware may use any file, socket and device.
        let hasModule = values.pkcs11.module != nil
        self.init(places: hasModule ? nil : SystemPlaces.rights)
        usesAbstractSockets = hasModule || manager?.usesAbstractSocket ?? false
        if hasModule { needs = .module }
        for path in SystemPlaces.links { allow(.read, leadingTo: path) }
        allow(variables: environment)
        let files = Set(values.files).subtracting(signers?.separateFiles(environment) ?? [])
        for path in files.union([file].compactMap(\.self)) { allow(.read, leadingTo: path) }
        for path in signers?.laterFiles(values, environment) ?? [] { allow(.read, leadingTo: path) }
        if case .path(let path) = values.signing.batch { allow(.read, leadingTo: path) }
        allow(values.audit)
        for listener in values.allListeners { allow(listener.address) }
    }

    /// What loading keys needs, also after their files were replaced by others of the same name.
    init(loading terms: KeyTerms, _ environment: [String: String]) {
        self.init(places: SystemPlaces.libraries)
        allow(variables: environment)
        for key in terms.keys {
            for path in KeyLoading.files(of: key.credentials, environment) { allow(.read, leadingTo: path) }
        }
        if terms.batch.hasPrefix("/") { allow(.read, leadingTo: terms.batch) }
    }

    private mutating func allow(variables environment: [String: String]) {
        for path in SystemPlaces.fileVariables.compactMap({ environment[$0] }) { allow(.read, leadingTo: path) }
        for name in SystemPlaces.folderVariables {
            for folder in environment[name]?.split(separator: ":") ?? [] { allow(.read, at: String(folder)) }
        }
    }

    private mutating func allow(_ audit: Configuration.Audit) {
        if [.syslog, .journald].contains(audit.output) { needs.insert(.unixDatagrams) }
        if audit.output == .file, let path = audit.file { allow(.write, leadingTo: path) }
        if case .file(let path) = audit.checkpoints { allow(.write, leadingTo: path) }
    }

    private mutating func allow(_ address: SocketAddress) {
        switch address {
        // Event loops share the port that the system chose for the first.
        case .ipv4(_, 0), .ipv6(_, 0): ports = nil
        case .ipv4(_, let port), .ipv6(_, let port): ports?.insert(port)
        case .unix:
            needs.insert(.unixStreams)
            if let path = address.socketFile { allow(.listen, leadingTo: path) }
        }
    }
}

/// What programs use on Linux, whatever they do.
private enum SystemPlaces {
    /// Shared libraries with their data, authorities, the resolver's files, and the kernel's figures. In /proc,
    /// Landlock hides of other processes what a debugger could see.
    static let rights: [String: FileRights] = {
        let folders = ["/etc", "/usr", "/lib", "/lib64", "/proc", "/sys/fs/cgroup", "/sys/devices/system"]
        // Where /etc/resolv.conf may lead one day.
        let resolvers = ["/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf"]
        let devices = ["/dev/random", "/dev/urandom", "/dev/zero"]
        let read = (folders + resolvers + devices).map { ($0, FileRights.read) }
        return Dictionary(uniqueKeysWithValues: read + [("/dev/null", .write)])
    }()

    /// Shared libraries with their data and configuration, and the kernel's figures.
    static let libraries: [String: FileRights] = {
        let configuration = [
            "/etc/ssl", "/etc/pki", "/etc/crypto-policies", "/etc/ld.so.cache", "/etc/passwd", "/etc/group",
            "/etc/nsswitch.conf",
        ]
        let folders = ["/usr", "/lib", "/lib64", "/proc", "/sys/devices/system", "/dev/random", "/dev/urandom"]
        return Dictionary(uniqueKeysWithValues: (configuration + folders).map { ($0, FileRights.read) })
    }()

    /// They may lead out of /etc.
    static let links = [
        "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/localtime", "/etc/ssl/certs",
        "/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem", "/etc/ssl/openssl.cnf",
        "/etc/pki/tls/certs/ca-bundle.crt",
    ]

    /// Variables that name files of OpenSSL and libcurl.
    static let fileVariables = ["SSL_CERT_FILE", "OPENSSL_CONF"]
    /// Variables that name folders of OpenSSL, of the loader, of time zones, and of the copies that systemd makes.
    static let folderVariables = [
        "SSL_CERT_DIR", "OPENSSL_MODULES", "LD_LIBRARY_PATH", "TZDIR", "CREDENTIALS_DIRECTORY",
        CredentialCopies.variable,
    ]
}
