import AuditLog
import Dispatch
import HTTPClient
import ServiceConfiguration

/// Where checkpoints of the audit log go, if not to the log alone (`audit.checkpoints`).
package enum CheckpointPlace: Sendable {
    /// Each is a line that is appended.
    case file(String)
    /// Each is the body of a POST.
    case url(OutgoingURL, OutgoingClient)

    private static let limits = HTTPClientLimits(
        connectTimeout: .seconds(3), totalTimeout: .seconds(4), maxBodyBytes: 4096)

    /// Nil if none is configured. Creates a missing file; throws if it cannot be written.
    package init?(_ values: Configuration) throws(ConfigurationErrors) {
        switch values.audit.checkpoints {
        case nil: return nil
        case .file(let path):
            do { try AuditFile.append(checkpoints: [], to: path) } catch {
                throw ConfigurationErrors("audit.checkpoints: \(error)")
            }
            self = .file(path)
        case .url(let url):
            let egress = try values.outgoing.egress()
            // The longest batch of lines has fewer checkpoints.
            let settings = HTTPClientSettings(
                maxConnections: 1, maxConnectionsPerHost: 1, maxWaiting: 128, egress: egress)
            self = .url(url, try OutgoingClient.make("audit.checkpoints", settings))
        }
    }

    /// Notes the end of a chain; calls back once, with why that failed. May block.
    package func note(_ chain: AuditChain, _ done: @escaping @Sendable (String?) -> Void) {
        switch self {
        case .file(let path):
            do { try AuditFile.append(checkpoints: chain.checkpoint(), to: path) } catch {
                return done(error.description)
            }
            done(nil)
        case .url(let url, let client):
            let fields = [HTTPClientField(constant: "content-type", "application/json")]
            let request = HTTPClientRequest(
                url: url, method: .post(chain.checkpoint()), fields: fields, limits: Self.limits)
            client.send(request) { done(Self.problem($0)) }
        }
    }

    /// Nil for an answer of 2xx.
    private static func problem(_ result: Result<HTTPClientResponse, HTTPClientError>) -> String? {
        switch result {
        case .success(let response) where (200...299).contains(response.status): nil
        case .success(let response): "the answer has the status \(response.status); expected 2xx"
        case .failure(let error): error.sentence
        }
    }
}
