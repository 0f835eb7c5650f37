import FleetEngineToken
import ServiceConfiguration

/// Which kinds of tokens are served, and by which minter.
struct ServedKinds: Sendable {
    private let minters: PerKind<TokenMinter?>
    /// What is missing of each kind that is not served.
    private let absences: PerKind<KindAbsence>

    /// Asks for the minter of each kind that is served, and for what is missing of the others.
    init(absence: (TokenKind) -> KindAbsence = { _ in .key }, _ minter: (TokenKind) throws -> TokenMinter?) rethrows {
        minters = try PerKind(minter)
        absences = PerKind(absence)
    }

    /// The minter of a kind; throws which settings turn the kind on.
    func minter(of kind: TokenKind) throws(TokenProblem) -> TokenMinter {
        if let minter = minters[kind] { return minter }
        throw .kindOff(kind, absences[kind])
    }
}
