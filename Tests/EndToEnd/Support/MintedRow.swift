/// A command line of `mint`, and the row of the table in FleetEngineContract.md, "Kinds of tokens" that its token must
/// match; times are in seconds.
struct MintedRow {
    let flags: [String]
    let name: String
    let ids: [String]
    /// The key that signs it; nil for the common key.
    let key: ServiceAccountFile?
    let lifetime: Int
    let backdate: Int

    init(
        _ flags: [String], _ name: String, _ ids: [String] = [], key: ServiceAccountFile? = nil, lifetime: Int = 3600,
        backdate: Int = 300
    ) {
        (self.flags, self.name, self.ids, self.key) = (flags, name, ids, key)
        (self.lifetime, self.backdate) = (lifetime, backdate)
    }
}
