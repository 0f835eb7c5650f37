import CallerAccess
import HTTPClient

extension Configuration {
    /// How callers are told apart when they are not.
    package enum Callers: String, CaseIterable, Sendable {
        /// Nobody is asked who they are.
        case unauthenticated = "none"
    }

    /// An identity provider whose tokens callers may show.
    package struct Issuer: Sendable, Equatable {
        /// Which of its tokens count.
        package let policy: IssuerPolicy
        /// Where its keys are.
        package let keys: KeySource
        /// Seconds for which keys serve when no newer ones can be had.
        package let keepKeys: Int64

        /// Where an issuer's keys are.
        package enum KeySource: Sendable, Equatable {
            /// Where the issuer's own metadata at this URL says (OpenID Connect Discovery 1.0 section 4).
            case discovery(OutgoingURL)
            /// At this URL, as a JWK set (RFC 7517 section 5).
            case url(OutgoingURL)
            /// In this file, as a JWK set.
            case file(String)
        }
    }

    /// The API keys of servers.
    package struct APIKeys: Sendable, Equatable {
        /// The file of their digests; nil if there are none.
        package var file: String?
        /// The field in which a key may stand besides `Authorization`; nil if there is no other.
        package var field: String?
    }
}

extension ConfigurationValues {
    /// Whether there is any way in which callers prove who they are, be it to the company's back end.
    package var authenticates: Bool {
        !issuers.isEmpty || apiKeys.file != nil || tls.clientCAFile != nil || forwardAuth.url != nil
    }
}
