/// What an operator does about a failure.
package struct Remedy: Hashable, Sendable {
    /// One sentence without a full stop.
    package let cure: String
    /// What does it in a shell, in this order; none if no command does. Words in capital letters are to be replaced.
    package let commands: [String]

    /// A cure and its commands.
    package init(_ cure: String, _ commands: [String] = []) {
        (self.cure, self.commands) = (cure, commands)
    }

    /// What tells more about a signature that another service did not make.
    package static let diagnose = Remedy(
        "try each step of a signature, which names what is missing", ["token-provider doctor"])
    /// For signatures that take too long, or too many at once.
    package static let awaitSignatures = Remedy(
        "wait a minute; if this stays, find what is slow on the way to the service that signs",
        ["token-provider doctor"])
    /// For a clock that is wrong.
    package static let setClock = Remedy(
        "set this machine's clock, and keep it right by NTP", ["timedatectl set-ntp true"])
}
