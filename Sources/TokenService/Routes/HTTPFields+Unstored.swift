import HTTPServer

extension HTTPFields {
    /// The fields of content that nobody may store, nor take for another type; further ones are left out where they are
    /// malformed.
    package static func unstored(_ type: String, _ further: [(name: String, value: String)] = []) -> HTTPFields {
        let common = [
            (name: "Content-Type", value: type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ]
        return HTTPFields(common + further) ?? HTTPFields(common) ?? .none
    }
}
