import FleetEngineToken
import HTTPServer
import Logging

/// All that answers requests, made of one reading of the files: made beside the former, and swapped for it whole.
final class Edition: Sendable {
    let configuration: Configuration
    let signers: Signers
    let callers: CallerSetup
    let router: Router
    /// When it was made.
    let made = ServerTime.now()
    /// The answers of the admin listener that stay the same.
    let documents: AdminDocuments

    /// What is kept of refusals, which goes on from edition to edition.
    var refusals: RefusalRecords { router.token.records.refusals }

    /// An edition of a reading, with what decides about callers as the same reading has it. Of a former one it goes on with
    /// what the new reading leaves as it is: kept tokens, counts of limits, the key of digests in logs.
    init(
        _ reading: Reading, _ callers: CallerSetup, after former: Edition? = nil, _ audit: AuditLog?, logger: Logger
    ) throws {
        (configuration, signers, self.callers) = (reading.configuration, reading.signers, callers)
        documents = try AdminDocuments(reading.signers)
        router = Router(
            token: try TokenRoute(reading, callers.tables, after: former, audit, logger: logger),
            crossOrigin: CrossOrigin(reading.configuration.cors))
    }
}
