/// Why signatures are not made in batches.
package enum CryptoMBError: Error, Hashable, Sendable {
    /// The library is not there under its usual names.
    case notInstalled
    /// A library could not be loaded, for the reason of dlerror(3).
    case notLoaded(reason: String)
    /// The library has no function of this name.
    case noFunction(file: String, name: String)
    /// The processor or the system lacks AVX-512 IFMA, or the library does not use it for RSA-2048.
    case noInstructions
    /// A signature of the library was wrong.
    case wrongSignature(file: String, key: String)

    /// One sentence: what is wrong, why, and what was expected.
    package var sentence: String {
        switch self {
        case .notInstalled: "Intel's crypto_mb is not installed"
        case .notLoaded(let reason): "crypto_mb cannot be loaded: \(reason)"
        case .noFunction(let file, let name): "\(file) has no function \(name); expected Intel's crypto_mb"
        case .noInstructions: "this processor cannot sign in batches; expected AVX-512 IFMA"
        case .wrongSignature(let file, let key):
            "\(file) made a wrong signature with key \(key), which was not used; OpenSSL signs alone until a restart"
        }
    }
}
