import TestSupport
import Foundation

/// An authority made by the `openssl` command, and the certificates that it issues; `deinit` removes the files.
final class Certificates: Sendable {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "http-client-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
            "/CN=Test authority",
            "-keyout", path("authority.key"), "-out", authority)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The path of the authority's own certificate.
    var authority: String { path("authority.pem") }

    /// Issues a certificate for these names, such as `DNS:localhost`, or for none; the path of the file with it and its
    /// key.
    func certificate(_ names: String?, days: Int = 1) throws -> String {
        let name = UUID().uuidString
        let (key, demand, extensions) = (path("\(name).key"), path("\(name).csr"), path("\(name).ext"))
        try Data((names.map { "subjectAltName=\($0)\n" } ?? "").utf8).write(to: URL(filePath: extensions))
        try openssl(
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
            "/CN=server\u{1B}]0;", "-keyout", key, "-out",
            demand)
        try openssl(
            "x509", "-req", "-in", demand, "-CA", authority, "-CAkey", path("authority.key"), "-days", "\(days)",
            "-extfile", extensions, "-out", path("\(name).crt"))
        let both = try Data(contentsOf: URL(filePath: path("\(name).crt"))) + Data(contentsOf: URL(filePath: key))
        try both.write(to: URL(filePath: path("\(name).pem")))
        return path("\(name).pem")
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func openssl(_ arguments: String...) throws { try Child.mustRun(["openssl"] + arguments) }
}
