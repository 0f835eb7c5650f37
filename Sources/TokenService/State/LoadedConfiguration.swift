import ServiceConfiguration

/// What the configuration and the keys that sign say at one moment, all of it sound.
package struct LoadedConfiguration: Sendable {
    package let configuration: Configuration
    package let signers: Signers
    /// What is allowed but unwise, a sentence each.
    package var warnings: [String] = []

    package init(configuration: Configuration, signers: Signers, warnings: [String] = []) {
        (self.configuration, self.signers, self.warnings) = (configuration, signers, warnings)
    }
}

extension LoadedConfiguration {
    /// What was read, with the keys that it names; throws all that is wrong with either.
    package init(_ read: ConfigurationResolver) throws(ConfigurationErrors) {
        let (configuration, warnings) = try read.configuration()
        let signers = try Signers(configuration)
        self.init(configuration: configuration, signers: signers, warnings: warnings + signers.warnings)
    }
}
