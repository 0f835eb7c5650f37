import StrictJSON

/// Where a claim is in a token: the claim's name, or the names of the objects around it and then its own.
package struct ClaimPath: Equatable, Sendable {
    let names: [JSONName]

    /// `sub` (RFC 7519 section 4.1.2).
    package static let subject = ClaimPath(["sub"])

    init(_ names: [JSONName]) { self.names = names }

    /// The claim that these names lead to, dots and all; throws if the list or a name is empty.
    package init(names: [String]) throws(AccessRuleError) {
        guard !names.isEmpty, !names.contains("") else { throw .emptyClaimName }
        self.names = names.map { JSONName($0) }
    }

    /// The claim that the names between the dots lead to; throws if one is empty, or if the text is a URL, whose dots are
    /// part of one name.
    package init(_ text: String) throws(AccessRuleError) {
        let names = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard names.count == 1 || !["https://", "http://"].contains(where: { text.utf8.starts(with: $0.utf8) }) else {
            throw .urlAsPath
        }
        try self.init(names: names.map { String(decoding: $0, as: UTF8.self) })
    }

    /// The path for people: names with dots between them, in quotation marks where they hold one themselves.
    package var text: String {
        names.map { $0.text.utf8.contains(UInt8(ascii: ".")) ? "\"\($0.text)\"" : $0.text }.joined(separator: ".")
    }

    /// The name of the claim itself or of the outermost object around it.
    var outermost: JSONName? { names.first }

    /// The claim's value; nil if it is missing.
    func value(in claims: JSONObject) -> JSONValue? {
        var value: JSONValue? = .object(claims)
        for name in names {
            guard case .object(let members) = value else { return nil }
            value = members[name]
        }
        return value
    }
}
