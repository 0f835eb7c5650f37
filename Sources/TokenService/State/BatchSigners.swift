import BatchSigning
import FleetEngineToken
import OpenSSLSigner
import SeparateSigning
import ServiceConfiguration
import SystemFiles

/// The signers that sign several tokens at once, or why each token is signed alone.
package struct BatchSigners: Sendable {
    /// Also after a wrong signature.
    private var library: CryptoMBLibrary?
    private var bySigner: [ObjectIdentifier: any BatchTokenSigner] = [:]
    /// How another process signs; nil for keys of this one.
    private var elsewhere: (sentence: String, isBatched: Bool)?
    /// Why tokens are signed one at a time.
    private var obstacle: String
    /// What was expected by the configuration and is not so.
    private(set) var warning: String?

    /// None.
    init() { obstacle = "signing.batch is off" }

    /// Loads the library, tests it, and signs by it for each of these signers whose key is RSA-2048 and in this process.
    init(_ setting: Configuration.Batch, for signers: [RS256Signer]) {
        self.init()
        guard setting != .off else { return }
        let keys = signers.compactMap { signer in signer.inMemory.map { (signer, $0) } }
        guard !keys.isEmpty else {
            obstacle = "no key is in this process"
            return
        }
        do throws(CryptoMBError) {
            let library = try Self.library(setting)
            self.library = library
            for (signer, key) in keys {
                bySigner[ObjectIdentifier(signer)] = try BatchSigner(signer, key, by: library)
            }
            obstacle = "no key has 2048 bits"
        } catch {
            (bySigner, obstacle) = ([:], error.sentence)
            if case .path = setting { warning = "signing.batch: \(error.sentence)" }
        }
    }

    /// For signers whose keys are in another process, which reported how it signs.
    init(_ report: KeyReport, for signers: [RS256Signer]) {
        self.init()
        elsewhere = ("in a process of their own, \(report.sentence)", report.signsBatches)
        for signer in signers { bySigner[ObjectIdentifier(signer)] = SeparateBatchSigner(signer) }
    }

    private static func library(_ setting: Configuration.Batch) throws(CryptoMBError) -> CryptoMBLibrary {
        guard case .path(let path) = setting else { return try CryptoMB.library(at: nil) }
        let breach: String?
        do { breach = try FileTrust.breach(ofLibrary: path) } catch { breach = error.predicate }
        if let breach { throw .notLoaded(reason: "\(path): \(breach)") }
        return try CryptoMB.library(at: path)
    }

    /// What signs for a signer's key: the signer, or one that signs batches too.
    func signer(for signer: RS256Signer) -> any TokenSigner { bySigner[ObjectIdentifier(signer)] ?? signer }

    /// Whether several tokens are signed at once now.
    package var areUsed: Bool { elsewhere?.isBatched != false && bySigner.values.contains { $0.batchSizes != nil } }

    /// Why batches ended, or never began, because a signature was wrong; nil if none was.
    package var fault: String? { library?.fault?.sentence }

    /// How tokens are signed: the predicate of a sentence.
    package var sentence: String {
        if let elsewhere { return elsewhere.sentence }
        if let library, areUsed {
            return "up to \(CryptoMBLibrary.lanes) at once by \(library.file), verified by OpenSSL"
        }
        return "one at a time by OpenSSL (\(fault ?? obstacle))"
    }
}
