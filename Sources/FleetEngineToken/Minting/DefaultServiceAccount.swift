/// The accounts Google Cloud makes by itself. They usually hold Editor, and for Editor Fleet Engine ignores the claims
/// that restrict a token: a phone with one could read and change every trip and vehicle (CONTRACT.md section 1).
package enum DefaultServiceAccount: String, CaseIterable, Sendable {
    /// That of virtual machines, and of whatever runs on them.
    case computeEngine = "-compute@developer.gserviceaccount.com"
    /// That of App Engine.
    case appEngine = "@appspot.gserviceaccount.com"

    /// The account of this e-mail address; nil if it is none of them.
    package init?(email: String) {
        let email = email.lowercased()
        guard let account = Self.allCases.first(where: { email.hasSuffix($0.rawValue) }) else { return nil }
        self = account
    }

    /// The account in a sentence.
    package var name: String {
        switch self {
        case .computeEngine: "Compute Engine's default service account"
        case .appEngine: "App Engine's default service account"
        }
    }
}
