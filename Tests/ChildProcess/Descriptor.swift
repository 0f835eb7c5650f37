import Glibc

/// A descriptor, closed with its owner.
final class Descriptor: Sendable {
    let number: Int32

    init(takingOwnershipOf number: Int32) { self.number = number }

    deinit { close(number) }
}
