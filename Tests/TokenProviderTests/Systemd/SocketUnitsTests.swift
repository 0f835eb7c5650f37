import Foundation
import HTTPServer
import ServiceConfiguration
import TestSupport
import Testing

@testable import TokenProvider

@Suite struct SocketUnitsTests {
    private let root = FileManager.default.temporaryDirectory.appending(path: "units-\(UUID().uuidString)")
    private var units: SocketUnits {
        var units = SocketUnits()
        units.folders = ["etc", "lib"].map { root.appending(path: $0).path }
        return units
    }

    private func write(_ path: String, _ text: String) throws {
        let file = root.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    /// What the repository ships; enabled if it is named.
    private func ship(enabled names: String...) throws {
        for name in ["token-provider", "token-provider-https"] {
            let shipped = DocumentationPage.repository.appending(path: "systemd/\(name).socket")
            try write("lib/\(name).socket", String(contentsOf: shipped, encoding: .utf8))
            if names.contains(name) { try write("etc/sockets.target.wants/\(name).socket", "") }
        }
    }

    private func socket(_ name: String, _ address: String) throws -> ListenerTakeover.Socket {
        ListenerTakeover.Socket(name: name, address: try SocketAddress(address))
    }

    @Test func `only enabled units of this service pass sockets`() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try ship()
        #expect(units.enabled.isEmpty)
        try ship(enabled: "token-provider", "token-provider-https")
        try write("lib/ssh.socket", "[Socket]\nListenStream=22\n")
        try write("etc/sockets.target.wants/ssh.socket", "")
        #expect(try units.enabled == [socket("https", "[::]:443"), socket("http", "127.0.0.1:8080")])
    }

    @Test func `the shipped drop-in replaces the address of the unit`() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try ship(enabled: "token-provider")
        let dropIn = DocumentationPage.repository.appending(path: "systemd/listen.conf")
        try write("etc/token-provider.socket.d/listen.conf", String(contentsOf: dropIn, encoding: .utf8))
        #expect(try units.enabled == [socket("http", "[::]:8080")])
    }

    @Test func `drop-ins add paths, and those of the operator hide others`() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try ship(enabled: "token-provider")
        try write("lib/token-provider.socket.d/b.conf", "[Socket]\nListenStream=10.0.0.1:1\n")
        try write(
            "etc/token-provider.socket.d/b.conf",
            "[Unit]\nListenStream=1\n[Socket]\n# ListenStream=2\n ListenStream = /run/a.sock \nFileDescriptorName=a\n")
        try write("etc/token-provider.socket.d/c.txt", "[Socket]\nListenStream=3\n")
        #expect(try units.enabled == [socket("a", "127.0.0.1:8080"), socket("a", "unix:/run/a.sock")])
    }

    @Test func `other configurations than the service's have no sockets`() {
        #expect(SocketUnits.sockets(for: nil).isEmpty)
        #expect(SocketUnits.sockets(for: "/nowhere/token-provider.yaml").isEmpty)
    }
}
