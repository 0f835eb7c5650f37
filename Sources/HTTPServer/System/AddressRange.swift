/// A range of addresses that begin with the same bits, written `10.0.0.0/8`, `2001:db8::/32` (RFC 4632 section 3.1,
/// RFC 4291 section 2.3) or as one address. No range holds addresses of both families.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    private let first: IPAddress
    /// How many of the 128 bits are the same; those of an IPv4 range are counted in its mapped form.
    private let prefix: Int

    /// Reads a range; bits that are set beyond its prefix are an error, since they tell of a range that was not meant.
    package init(_ text: String) throws(AddressRangeError) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(String(parts[0])) else { throw .notAddress }
        // In the form in which it is written: a mapped IPv4 address has an IPv6 prefix.
        let isDotted = !parts[0].contains(":")
        prefix = (isDotted ? 96 : 0) + (try AddressRange.prefix(parts.dropFirst().first, most: isDotted ? 32 : 128))
        first = AddressRange.masked(address, prefix)
        guard first == address else { throw .bitsBeyondPrefix(expected: description) }
    }

    private static func prefix(_ text: Substring?, most: Int) throws(AddressRangeError) -> Int {
        guard let text else { return most }
        guard text.isPlainDecimal, let prefix = Int(text), prefix <= most else { throw .badPrefix(most: most) }
        return prefix
    }

    private static func masked(_ address: IPAddress, _ prefix: Int) -> IPAddress {
        // A shift by all 64 bits leaves none.
        IPAddress(
            high: address.high & ~(UInt64.max >> UInt64(min(prefix, 64))),
            low: address.low & ~(UInt64.max >> UInt64(max(prefix - 64, 0))))
    }

    private var isIPv4: Bool { prefix >= 96 && first.isIPv4 }

    /// Whether it holds every address of its family.
    package var holdsAll: Bool { prefix == (isIPv4 ? 96 : 0) }

    /// Whether the address lies in the range.
    package func contains(_ address: IPAddress) -> Bool {
        address.isIPv4 == isIPv4 && AddressRange.masked(address, prefix) == first
    }

    /// The notation that `init(_:)` reads, with the prefix.
    package var description: String { "\(first)/\(isIPv4 ? prefix - 96 : prefix)" }
}

extension [AddressRange] {
    /// Whether the address lies in one of the ranges.
    func contain(_ address: IPAddress) -> Bool { contains { $0.contains(address) } }
}

/// Why a text is not a range of addresses.
package enum AddressRangeError: Error, Hashable, Sendable {
    case notAddress
    case badPrefix(most: Int)
    case bitsBeyondPrefix(expected: String)

    /// What is wrong with the text, to follow it in a sentence.
    package var problem: String {
        switch self {
        case .notAddress: "does not begin with an IPv4 or IPv6 address (host names are not looked up)"
        case .badPrefix(let most): "does not end with a prefix from 0 to \(most)"
        case .bitsBeyondPrefix(let expected): "has bits set beyond its prefix; expected \(expected)"
        }
    }
}
