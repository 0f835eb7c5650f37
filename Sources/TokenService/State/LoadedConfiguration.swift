import OpenSSLSigner
import SeparateSigning
import ServiceConfiguration

/// A valid configuration and its signing keys, as read at one moment.
package struct LoadedConfiguration: Sendable {
    package let configuration: Configuration
    package let signers: Signers
    /// Settings that are allowed but unwise, a sentence each.
    package var warnings: [String] = []
    /// The path of the configuration's file; nil without one.
    package var file: String?
    /// What browsers get from the listeners for apps; nil for nothing.
    package var pages: WebPages?

    package init(configuration: Configuration, signers: Signers, warnings: [String] = []) {
        (self.configuration, self.signers, self.warnings) = (configuration, signers, warnings)
    }
}

extension LoadedConfiguration {
    /// Reads the key files that the configuration names and opens its keys in hardware; throws all errors of all.
    package init(
        _ read: ConfigurationResolver, _ hardware: HardwareKeys, in process: SigningProcess? = nil
    ) throws(ConfigurationErrors) {
        let (configuration, warnings) = try read.configuration()
        let signers = try Signers(configuration, hardware, in: process)
        self.init(configuration: configuration, signers: signers, warnings: warnings + signers.warnings)
    }
}
