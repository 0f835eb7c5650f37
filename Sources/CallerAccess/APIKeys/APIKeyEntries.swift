internal import OpenSSLSigner

/// The entries of a file, as they are read line by line; no two have the same name or the same digest.
struct APIKeyEntries {
    private(set) var all: [APIKeyEntry] = []
    private var lineOfName: [String: Int] = [:]
    private var lineOfDigest: [SHA256Digest: Int] = [:]

    /// Takes what the line says, if it says anything.
    mutating func add(_ line: ArraySlice<UInt8>, number: Int) throws(APIKeyFileError.Problem) {
        let fields = line.prefix { $0 != UInt8(ascii: "#") }.split(whereSeparator: Self.isBlank)
        guard !fields.isEmpty else { return }
        let entry = try APIKeyEntry(fields)
        if let former = lineOfName.updateValue(number, forKey: entry.name) { throw .repeatedName(line: former) }
        if let former = lineOfDigest.updateValue(number, forKey: entry.digest) {
            throw .repeatedDigest(line: former)
        }
        all.append(entry)
    }

    /// A carriage return before the end of a line is one, too.
    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }
}
