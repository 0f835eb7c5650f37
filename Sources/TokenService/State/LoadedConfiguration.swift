import ServiceConfiguration

/// A valid configuration and its signing keys, as read at one moment.
package struct LoadedConfiguration: Sendable {
    package let configuration: Configuration
    package let signers: Signers
    /// Settings that are allowed but unwise, a sentence each.
    package var warnings: [String] = []

    package init(configuration: Configuration, signers: Signers, warnings: [String] = []) {
        (self.configuration, self.signers, self.warnings) = (configuration, signers, warnings)
    }
}

extension LoadedConfiguration {
    /// Reads the key files that the configuration names; throws all errors of both.
    package init(_ read: ConfigurationResolver) throws(ConfigurationErrors) {
        let (configuration, warnings) = try read.configuration()
        let signers = try Signers(configuration)
        self.init(configuration: configuration, signers: signers, warnings: warnings + signers.warnings)
    }
}
