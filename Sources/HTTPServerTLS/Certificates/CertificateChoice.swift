/// Which of several certificates a client is shown, by the name it asks for: one of each algorithm, and of those the first
/// that has the name exactly, or else the first with a wildcard for it.
struct CertificateChoice {
    /// Certificates by their places in the list.
    typealias Offer = [Int]

    /// For clients that ask for no name, or for one that no certificate has: the first certificate, and the first of the
    /// other algorithm that shares a name with it.
    let fallback: Offer
    private var exact: [String: Offer] = [:]
    /// By what follows `*.`.
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

    /// Every offer that may be made.
    var offers: Set<Offer> { Set([fallback] + exact.values + wildcard.values) }

    /// What a client that asks for a name is shown; nil if no certificate has it. A wildcard stands for one label (RFC 9525
    /// section 6.3). A dot at the end, which clients should leave out (RFC 6066 section 3), means the same name.
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
