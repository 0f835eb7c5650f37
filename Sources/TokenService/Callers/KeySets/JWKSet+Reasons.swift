import OpenSSLCrypto

/// Why a set of keys is of no use to an issuer.
extension JWKSet {
    /// More reasons are only counted: a set may hold a hundred keys.
    private static let maxReasons = 5

    /// Why keys are passed over, to follow a sentence; empty if none is.
    package var reasons: String {
        let told = skipped.prefix(Self.maxReasons).map { "; \($0)" }.joined()
        let rest = skipped.count - Self.maxReasons
        return rest > 0 ? "\(told); and \(rest) more" : told
    }

    /// That no key verifies by any of the algorithms, to stand before what was expected; nil if one does.
    func unfitness(for algorithms: [JWSAlgorithm]) -> String? {
        guard !keys.contains(where: { key in algorithms.contains { key.verifies(by: $0) } }) else { return nil }
        return "no key of the set is for \(algorithms.map(\.rawValue).joined(separator: " or "))"
    }
}
