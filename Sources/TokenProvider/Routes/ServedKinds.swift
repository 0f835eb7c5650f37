import FleetEngineToken

/// Which kinds of tokens are served, and by which minter.
struct ServedKinds: Sendable {
    private let minters: PerKind<TokenMinter>
    /// The kinds that `kinds.enabled` names; nil if it names none.
    private let listed: Set<TokenKind>?

    /// Asks for the minter of each kind that is served.
    init(listed: Set<TokenKind>? = nil, _ minter: (TokenKind) throws -> TokenMinter?) rethrows {
        minters = try PerKind(minter)
        self.listed = listed
    }

    /// The minter of a kind; throws which setting turns the kind on.
    func minter(of kind: TokenKind) throws(TokenProblem) -> TokenMinter {
        if let minter = minters[kind] { return minter }
        guard let listed, !listed.contains(kind) else { throw .kindOff(kind) }
        throw .kindNotListed(kind)
    }
}
