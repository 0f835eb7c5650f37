import Glibc

/// A file descriptor; closed when its owner is released.
final class Descriptor: Sendable {
    let number: Int32

    init(takingOwnershipOf number: Int32) { self.number = number }

    deinit { close(number) }
}
