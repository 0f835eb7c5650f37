import Concurrency

/// The libraries of this process. One that was wrong stays off until the process ends, whatever is loaded again.
package enum CryptoMB {
    private static let loaded = Guarded<[String: CryptoMBLibrary]>([:])

    /// The library at a path, or under one of its usual names if that is nil. Throws if there is none that this machine can
    /// use, or it was wrong.
    package static func library(at path: String?) throws(CryptoMBError) -> CryptoMBLibrary {
        try loaded.withLock { loaded throws(CryptoMBError) in
            var failure: CryptoMBError?
            for file in path.map({ [$0] }) ?? CryptoMBLibrary.usualNames {
                if let library = loaded[file] { return library }
                do throws(CryptoMBError) {
                    let library = try CryptoMBLibrary(file: file)
                    loaded[file] = library
                    return library
                } catch {
                    // What is wrong with a library that exists says more than that another does not.
                    if failure == nil || failure == .notInstalled { failure = error }
                }
            }
            throw failure ?? .notInstalled
        }
    }

    /// Wrong signatures of all batches of this process; none was used.
    package static var wrongSignatures: Int { loaded.withLock { $0.values.reduce(0) { $0 + $1.wrongSignatures } } }
}

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
