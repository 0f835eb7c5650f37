extension String {
    /// Whether both have the same bytes of UTF-8. Swift's `==` takes canonically equivalent texts for equal, and a stranger's
    /// text can make it slow; of ASCII alone it is a comparison of bytes, and the fastest there is.
    public func hasSameBytes(as other: String) -> Bool {
        let count = utf8.count
        guard count == other.utf8.count else { return false }
        guard utf16.count == count, other.utf16.count == count else { return utf8.elementsEqual(other.utf8) }
        return self == other
    }
}
