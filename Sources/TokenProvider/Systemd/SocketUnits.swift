import Glibc
import HTTPServer
import ServiceConfiguration

/// The enabled socket units of the service on this machine, for commands that are not its daemon. Systemd passes their
/// sockets at the next start.
struct SocketUnits {
    /// The configuration file: the named one, that of the environment, or the service's if this user may read it.
    static func configuration(_ named: String?, _ environment: [String: String]) -> String? {
        let own = access(ServiceUnit.configuration, R_OK) == 0 ? ServiceUnit.configuration : nil
        return named ?? environment[EnvironmentNames.configurationFile] ?? own
    }

    var folders = UnitFile.folders

    /// The sockets of the service's next start if the file is the service's, else none.
    static func sockets(for file: String?) -> [ListenerTakeover.Socket] {
        file == ServiceUnit.configuration ? SocketUnits().enabled : []
    }

    /// The sockets of all enabled units, in the order of their names.
    var enabled: [ListenerTakeover.Socket] {
        let units = ["sockets.target", "token-provider.target"].flatMap {
            UnitFile.names("\(folders[0])/\($0).wants/*.socket")
        }
        return Set(units).sorted().flatMap(sockets)
    }

    private func sockets(of unit: String) -> [ListenerTakeover.Socket] {
        guard let file = UnitFile(unit, in: folders) else { return [] }
        let values = { (key: String) in file.values(key, in: "Socket") }
        let started = values("Service").last ?? "\(unit.dropLast(".socket".count)).service"
        guard started == ServiceUnit.name else { return [] }
        return values("ListenStream").compactMap(Self.address).map {
            ListenerTakeover.Socket(name: values("FileDescriptorName").last ?? unit, address: $0)
        }
    }

    /// A port alone means every address, by IPv6 and IPv4 (systemd.socket(5), ListenStream=).
    private static func address(_ text: String) -> SocketAddress? {
        if let first = text.first, "/@".contains(first) { return try? SocketAddress("unix:\(text)") }
        return try? SocketAddress(text.contains(":") ? text : "[::]:\(text)")
    }
}
