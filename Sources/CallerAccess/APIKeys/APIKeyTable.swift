import OpenSSLCrypto
import StrictJSON

/// The accepted API keys, by their digests; a value that is read from a file's text and replaced whole.
///
/// Each line of the file is `NAME sha256:DIGITS`, optionally followed by `expires=2027-01-31T00:00:00Z` and
/// `rules=NAME,NAME`, with any number of blanks between the fields; `#` begins a comment, and a line may be blank.
package struct APIKeyTable: Sendable {
    /// In the order of the first bytes of the digests.
    private let keys: [ListedKey]
    /// The keys' names, in the order of the file.
    package let names: [String]

    /// The table of a file's text; throws all that is wrong with it.
    package init(parsing text: [UInt8]) throws(APIKeyFileErrors) {
        var entries = APIKeyEntries()
        var errors: [APIKeyFileError] = []
        for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            do { try entries.add(line, number: index + 1) } catch {
                errors.append(APIKeyFileError(line: index + 1, problem: error))
            }
        }
        guard errors.isEmpty else { throw APIKeyFileErrors(errors: errors) }
        names = entries.all.map { $0.entry.name }
        keys = entries.all.map { ListedKey($0.entry, line: $0.line) }
            .sorted { $0.digest.beginning < $1.digest.beginning }
    }

    /// The caller that a key authenticates at `now`, in seconds since the epoch; throws why it is refused.
    ///
    /// A client cannot choose the digest of 256 random bits, so the time of the search tells it nothing of use. The whole
    /// digests are compared in constant time all the same, to be safe without that argument.
    package func principal(of key: [UInt8], at now: Int64) throws(APIKeyRefusal) -> Principal {
        guard APIKey.hasForm(key) else { throw APIKeyRefusal(.malformed) }
        return try valid(principal(of: SHA256Digest(of: key)), at: now)
    }

    /// The caller that the key of this name authenticates at `now`, in seconds since the epoch; throws why it is refused.
    /// For explanations: a request shows the key.
    package func principal(ofKeyNamed name: String, at now: Int64) throws(APIKeyRefusal) -> Principal {
        try valid(keys.first { $0.principal.name.hasSameBytes(as: name) }?.principal, at: now)
    }

    private func valid(_ principal: Principal?, at now: Int64) throws(APIKeyRefusal) -> Principal {
        guard let principal else { throw APIKeyRefusal(.unknown) }
        if let expiry = principal.expiresAt, now >= expiry {
            throw APIKeyRefusal(.expired, name: principal.name, expiredAt: expiry)
        }
        return principal
    }

    /// The names of the keys that expire, and when: in seconds since the epoch.
    package var ends: [(name: String, expiresAt: Int64)] {
        keys.compactMap { key in key.principal.expiresAt.map { (key.principal.name, $0) } }
    }

    /// Whether any key is valid at `now`, in seconds since the epoch.
    package func hasValidKey(at now: Int64) -> Bool {
        keys.contains { key in key.principal.expiresAt.map { now < $0 } ?? true }
    }

    /// The rules that keys are restricted to, in the order of the file and then of their names.
    package var restrictions: [APIKeyRestriction] {
        keys.flatMap { key in
            (key.principal.rules ?? []).map { APIKeyRestriction(line: key.line, key: key.principal.name, rule: $0) }
        }.sorted { ($0.line, $0.rule) < ($1.line, $1.rule) }
    }

    private func principal(of digest: SHA256Digest) -> Principal? {
        var (index, end) = (0, keys.count)
        while index < end {
            let middle = (index + end) / 2
            if keys[middle].digest.beginning < digest.beginning { index = middle + 1 } else { end = middle }
        }
        while index < keys.count, keys[index].digest.beginning == digest.beginning {
            if keys[index].digest.equalsInConstantTime(digest) { return keys[index].principal }
            index += 1
        }
        return nil
    }
}

/// A key's digest and the caller that the key authenticates.
private struct ListedKey: Sendable {
    let digest: SHA256Digest
    let line: Int
    let principal: Principal

    init(_ entry: APIKeyEntry, line: Int) {
        (digest, self.line) = (entry.digest, line)
        principal = Principal(
            name: entry.name, source: .apiKey(name: entry.name), claims: nil, expiresAt: entry.expiresAt,
            rules: entry.rules)
    }
}

/// A rule to which an API key is restricted, and the key's line.
package struct APIKeyRestriction: Hashable, Sendable {
    /// The line, counted from 1.
    package let line: Int
    /// The key's name.
    package let key: String
    /// The rule's name.
    package let rule: String
}

/// The entries of a file, as they are read line by line; no two have the same name or the same digest.
struct APIKeyEntries {
    private(set) var all: [(line: Int, entry: APIKeyEntry)] = []
    private var lineOfName: [String: Int] = [:]
    private var lineOfDigest: [SHA256Digest: Int] = [:]

    /// Adds the line's entry, if it has one. A key is refused anywhere in the line, in a comment too.
    mutating func add(_ line: ArraySlice<UInt8>, number: Int) throws(APIKeyFileError.Problem) {
        guard !APIKey.stands(in: line) else { throw .keyItself }
        let fields = line.prefix { $0 != UInt8(ascii: "#") }.split(whereSeparator: Self.isBlank)
        guard !fields.isEmpty else { return }
        let entry = try APIKeyEntry(fields)
        if let previous = lineOfName.updateValue(number, forKey: entry.name) { throw .repeatedName(line: previous) }
        if let previous = lineOfDigest.updateValue(number, forKey: entry.digest) {
            throw .repeatedDigest(line: previous)
        }
        all.append((number, entry))
    }

    /// A carriage return before the end of a line is a blank, too.
    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }
}
