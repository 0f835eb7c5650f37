/// The accounts Google Cloud makes by itself. They usually hold Editor, and for Editor Fleet Engine ignores the claims
/// that restrict a token: a phone with one could read and change every trip and vehicle.
enum DefaultServiceAccount: String, CaseIterable {
    case computeEngine = "-compute@developer.gserviceaccount.com"
    case appEngine = "@appspot.gserviceaccount.com"

    init?(email: String) {
        let email = email.lowercased()
        guard let account = Self.allCases.first(where: { email.hasSuffix($0.rawValue) }) else { return nil }
        self = account
    }

    var problem: String {
        """
        is \(name), which usually holds the Editor role, for which Fleet Engine ignores the claims that restrict a \
        token; expected an account of its own with one Fleet Engine role (allow_default_service_accounts: true overrides)
        """
    }

    private var name: String {
        switch self {
        case .computeEngine: "Compute Engine's default service account"
        case .appEngine: "App Engine's default service account"
        }
    }
}
