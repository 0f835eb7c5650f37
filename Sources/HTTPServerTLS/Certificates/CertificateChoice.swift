/// Which of several certificates a client is shown for the name that it requests: one for each algorithm. For each, the
/// first certificate with exactly this name, otherwise the first with a matching wildcard.
struct CertificateChoice {
    /// Certificates by their indices in the list.
    typealias Offer = [Int]

    /// For clients that request no name or an unknown one: the first certificate, and the first of the other algorithm
    /// that shares a name with it.
    let fallback: Offer
    private var exact: [String: Offer] = [:]
    /// Keyed by the text after `*.`.
    private var wildcard: [String: Offer] = [:]

    init(_ certificates: [(names: [String], algorithm: PrivateKey.Algorithm)]) {
        let first = Set(certificates.first?.names ?? [])
        let related = certificates.indices.filter { $0 == 0 || !first.isDisjoint(with: certificates[$0].names) }
        fallback = Self.oneOfEach(related, certificates.map(\.algorithm))
        for name in Set(certificates.flatMap(\.names)) {
            let having = certificates.indices.filter { certificates[$0].names.contains(name) }
            let covering = Self.parent(of: name).map { parent in
                certificates.indices.filter { certificates[$0].names.contains("*." + parent) }
            }
            let offer = Self.oneOfEach(having + (covering ?? []), certificates.map(\.algorithm))
            if name.hasPrefix("*.") { wildcard[String(name.dropFirst(2))] = offer } else { exact[name] = offer }
        }
    }

    /// All possible offers.
    var offers: Set<Offer> { Set([fallback] + exact.values + wildcard.values) }

    /// The offer for a requested name; nil if no certificate has it. A wildcard matches one label (RFC 9525 section
    /// 6.3). A dot at the end, which clients should leave out (RFC 6066 section 3), is ignored.
    func offer(for name: String) -> Offer? {
        let name = (name.hasSuffix(".") ? String(name.dropLast()) : name).lowercased()
        return exact[name] ?? Self.parent(of: name).flatMap { wildcard[$0] }
    }

    private static func parent(of name: String) -> String? {
        guard let dot = name.firstIndex(of: "."), dot > name.startIndex else { return nil }
        return String(name[name.index(after: dot)...])
    }

    private static func oneOfEach(_ places: [Int], _ algorithms: [PrivateKey.Algorithm]) -> Offer {
        var offer: Offer = []
        for place in places where !offer.contains(where: { algorithms[$0] == algorithms[place] }) {
            offer.append(place)
        }
        return offer
    }
}
