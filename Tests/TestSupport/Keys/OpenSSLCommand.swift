/// The `openssl` command, the independent party of these tests.
package enum OpenSSLCommand {
    /// Runs the command with the arguments and returns its output.
    @discardableResult
    package static func run(_ arguments: String...) throws -> String {
        try run(arguments: arguments)
    }

    package static func run(arguments: [String]) throws -> String {
        try Child.mustRun(["openssl"] + arguments)
    }

    /// Runs the body with the path of a new folder that is removed afterwards.
    package static func inFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
        let scratch = try Scratch()
        return try withExtendedLifetime(scratch) { try body(scratch.folder.path) }
    }

    /// A new private key in PEM, made by `openssl genpkey` with the arguments.
    package static func newKey(_ algorithm: String, option: String? = nil) throws -> String {
        guard let option else { return try run("genpkey", "-quiet", "-algorithm", algorithm) }
        return try run("genpkey", "-quiet", "-algorithm", algorithm, "-pkeyopt", option)
    }
}
