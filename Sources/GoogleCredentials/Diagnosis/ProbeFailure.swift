import FleetEngineToken
import HTTPClient

/// Why a step of a diagnosis failed, and what to do about it. It holds nothing secret.
package struct ProbeFailure: Error, Hashable, Sendable {
    /// One sentence without a full stop: what is wrong, and how that is known.
    package let detail: String
    package let remedy: Remedy
    /// Whether a service was not reached, or did not answer.
    package let isOutage: Bool

    /// A failure with its remedy.
    package init(_ detail: String, _ remedy: Remedy, isOutage: Bool = false) {
        (self.detail, self.remedy, self.isOutage) = (detail, remedy, isOutage)
    }

    /// The failure of a request without an answer.
    init(_ outage: HTTPClientError) {
        self.init(outage.sentence, outage.remedy, isOutage: true)
    }
}
