import OpenSSLCrypto

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
