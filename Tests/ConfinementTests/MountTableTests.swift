import Foundation
import Testing

@testable import Confinement

struct MountTableTests {
    private static let table = MountTable(
        parsing: #"""
            21 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
            22 21 254:0 /srv/keys /etc/app/keys rw shared:1 - ext4 /dev/vda1 rw
            23 21 254:0 /srv /mnt/with\040blank rw - ext4 /dev/vda1 rw
            24 21 0:40 / /srv/other rw - tmpfs tmpfs rw
            25 21 254:0 /home /mnt/home rw - ext4 /dev/vda1 rw
            26 21 0:41 / /srv/other rw - tmpfs tmpfs rw
            27 21 0:40 / /mnt/first rw - tmpfs tmpfs rw
            28 21 0:41 /a /mnt/second rw - tmpfs tmpfs rw
            29 21 254:0 /srv/keys/one.json /run/one rw - ext4 /dev/vda1 rw
            31 21 254:0 /srv/\#u{301}keys /mnt/\#u{301}accent rw - ext4 /dev/vda1 rw
            30
            """#)

    @Test(arguments: [
        (
            "/srv/keys/one.json", "21",
            ["/srv/keys/one.json", "/etc/app/keys/one.json", "/mnt/with blank/keys/one.json", "/run/one"]
        ),
        (
            "/etc/app/keys/two.json", "22",
            ["/srv/keys/two.json", "/etc/app/keys/two.json", "/mnt/with blank/keys/two.json"]
        ),
        // The second mount hides the first one.
        ("/srv/other/a/key", "26", ["/srv/other/a/key", "/mnt/second/key"]),
        // A name that begins with a combining character.
        (
            "/srv/\u{301}keys/key", "21",
            ["/srv/\u{301}keys/key", "/mnt/with blank/\u{301}keys/key", "/mnt/\u{301}accent/key"]
        ),
        ("/srv/keysother", "21", ["/srv/keysother", "/mnt/with blank/keysother"]),
        ("/srv/key", "99", []),
    ])
    func `a file has a path in each mount that shows it`(path: String, number: String, expected: [String]) {
        #expect(Self.table.paths(of: path, in: number) == expected)
    }

    @Test func `a file of this machine has its own path in the table`() throws {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        let paths = MountTable().paths(of: folder)
        #expect(paths.first == folder && paths.dropFirst().contains(folder))
    }

    @Test func `without a table a file has its own path`() {
        #expect(MountTable(parsing: "").paths(of: "/srv/key") == ["/srv/key"])
    }
}
