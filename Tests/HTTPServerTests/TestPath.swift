import Glibc

/// A unique path, removed when the test ends.
final class TestPath: Sendable {
    let path = "/tmp/http-server-\(getpid())-\(UInt64.random(in: 0 ... .max)).sock"

    deinit { unlink(path) }

    var exists: Bool { access(path, F_OK) == 0 }
}
