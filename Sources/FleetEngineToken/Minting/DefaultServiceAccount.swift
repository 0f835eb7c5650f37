/// The accounts that Google Cloud creates by default. They usually have the Editor role, for which Fleet Engine ignores
/// the claims that restrict a token: a phone with such a token could read and change every trip and vehicle
/// (FleetEngineContract.md, "Kinds of tokens").
package enum DefaultServiceAccount: String, CaseIterable, Sendable {
    /// The account of virtual machines, and of what runs on them.
    case computeEngine = "-compute@developer.gserviceaccount.com"
    /// The account of App Engine.
    case appEngine = "@appspot.gserviceaccount.com"

    /// The account with this e-mail address; nil if it is not one of them.
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
