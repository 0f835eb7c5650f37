import ArgumentParser

/// In which form a token is printed that is not to stand alone.
enum MintForm: String, EnumerableFlag {
    case show, header, json

    static func help(for form: MintForm) -> ArgumentHelp? {
        switch form {
        case .show: "Write what the token says, for people, instead of the token."
        case .header: "Write the header line \"Authorization: Bearer TOKEN\"."
        case .json: "Write JSON for programs."
        }
    }
}
