import FleetEngineToken
import GoogleCredentials
import StrictJSON
import TokenService

/// The kinds whose tokens are not signed, because Google or a key in hardware does not, and what clients still get.
struct SigningOutages {
    /// Why, each reason once, in the order of the kinds.
    let failures: [ProbeFailure]
    /// The kinds whose tokens are signed.
    private let signed: [TokenKind]
    /// The other kinds, by when the last of their cached tokens may be served, in seconds since the epoch; nil for none.
    private let cached: [(end: Int64?, kinds: [TokenKind])]

    /// The outages at a time; nil if there is none. `end` tells until when cached tokens of a kind may be served.
    init?(
        _ failing: [TokenKind: ProbeFailure], among served: [TokenKind], at now: Int64,
        cachedUntil end: (TokenKind) -> Int64?
    ) {
        guard served.contains(where: { failing[$0] != nil }) else { return nil }
        signed = served.filter { failing[$0] == nil }
        var failures: [ProbeFailure] = []
        var cached: [(end: Int64?, kinds: [TokenKind])] = []
        for kind in served {
            guard let failure = failing[kind] else { continue }
            if !failures.contains(failure) { failures.append(failure) }
            let end = end(kind).flatMap { $0 > now ? $0 : nil }
            if let index = cached.firstIndex(where: { $0.end == end }) {
                cached[index].kinds.append(kind)
            } else {
                cached.append((end, [kind]))
            }
        }
        (self.failures, self.cached) = (failures, cached)
    }

    /// Whether no client gets a token.
    var areTotal: Bool { signed.isEmpty && cached.allSatisfy { $0.end == nil } }

    /// What is wrong.
    var reason: String { failures.map(\.detail).joined(separator: "; ") }

    /// What is wrong, and what clients still get until when.
    var sentence: String {
        let isAlike = signed.isEmpty && cached.count == 1
        let rest = cached.map { end, kinds in
            let names = isAlike ? "" : "\(Self.names(kinds)) "
            guard let end else { return "no \(names)token is cached" }
            return "cached \(names)tokens last until \(CivilTime(clamping: end).rfc3339) at most"
        }
        let others = signed.isEmpty ? [] : ["\(Self.names(signed)) tokens are signed"]
        return ([reason] + rest + others).joined(separator: "; ")
    }

    private static func names(_ kinds: [TokenKind]) -> String { kinds.map(\.rawValue).joined(separator: ", ") }
}

extension SigningOutages {
    /// The outages of a serving state.
    init?(_ state: ServingState, at now: Int64) {
        let mint = state.retained.remoteMint
        let failing = (state.remote?.outages(mint.currentOutages) ?? [:])
            .merging(state.signers.hardwareOutages()) { $1 }
        self.init(failing, among: TokenKind.allCases.filter(state.signers.signs), at: now) { kind in
            guard let profile = state.router.token.minter(of: kind)?.profile else { return nil }
            // Clients get no token that expires within the margin.
            let margin = state.configuration.tokenSettings(of: kind).clientMargin
            return mint.lastTokenExpiry(of: kind, profile).map { $0 - margin }
        }
    }
}
