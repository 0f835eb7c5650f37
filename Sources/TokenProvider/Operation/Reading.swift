/// What the configuration and the keys that sign say at one moment, all of it sound.
struct Reading: Sendable {
    let configuration: Configuration
    let signers: Signers
    /// What is allowed but unwise, a sentence each.
    var warnings: [String] = []
}

extension Reading {
    /// What was read, with the keys that it names; throws all that is wrong with either.
    init(_ read: ConfigurationResolver) throws(CallerErrors) {
        do {
            let (configuration, warnings) = try read.configuration()
            let signers = try Signers(configuration)
            self.init(configuration: configuration, signers: signers, warnings: warnings + signers.warnings)
        } catch let error as ConfigurationErrors {
            throw CallerErrors(sentences: error.sentences)
        } catch let error as CredentialErrors {
            throw CallerErrors(sentences: error.sentences)
        } catch {
            throw CallerErrors(sentences: ["\(error)"])
        }
    }
}
