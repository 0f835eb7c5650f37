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
