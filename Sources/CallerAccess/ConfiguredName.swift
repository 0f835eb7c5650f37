/// The names that rules and API keys are given: 1 to 64 letters, digits, dots, underscores and hyphens of ASCII, so that
/// they can stand in any record as they are, and Swift takes two of them for equal only if their bytes are.
enum ConfiguredName {
    static let maxBytes = 64

    static func isValid(_ name: some Collection<UInt8>) -> Bool {
        (1...maxBytes).contains(name.count) && name.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x2E, 0x5F, 0x2D: true
        default: false
        }
    }
}
