import CCryptoMB
import Concurrency
import Glibc
import OpenSSLCrypto
import Synchronization

/// Intel's crypto_mb, which applies RSA-2048 to eight blocks at once by AVX-512 IFMA. Once loaded it stays, and after a
/// wrong signature it is not used again.
///
/// `@unchecked Sendable`: the functions and the method never change and keep no state; the counts are atomic.
package final class CryptoMBLibrary: @unchecked Sendable {
    /// Blocks at once.
    package static let lanes = 8
    /// Bytes of a block.
    static let blockBytes = RSAFactors.bits / 8
    /// From the newest to the oldest major version with these functions, then what links for developers.
    package static let usualNames = [
        "libcrypto_mb.so.13", "libcrypto_mb.so.12", "libcrypto_mb.so.11", "libcrypto_mb.so",
    ]

    /// A block to which a key is applied.
    struct Lane {
        let factors: RSAFactors
        let block: [UInt8]
    }

    /// The name under which it was loaded.
    package let file: String
    private let sign: CryptoMBSign
    private let method: OpaquePointer
    private let bufferBytes: Int
    private let firstFault = Guarded<CryptoMBError?>(nil)
    private let isTested = Guarded(false)
    /// The wiped memory of batches that have ended, one for each thread that signed at the same time.
    private let workspaces = Guarded<[SecretMemory]>([])
    private let wrong = Atomic(0)

    /// Loads the library. Throws if there is none, or this machine cannot use it.
    init(file: String) throws(CryptoMBError) {
        Self.loadCompanions(of: file)
        guard let library = dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? "no reason given"
            let isAbsent = !file.contains("/") && reason.hasPrefix("\(file): cannot open shared object file")
            throw isAbsent ? .notInstalled : .notLoaded(reason: reason)
        }
        func function<Function>(_ name: String, as type: Function.Type) throws(CryptoMBError) -> Function {
            guard let symbol = dlsym(library, name) else { throw .noFunction(file: file, name: name) }
            return unsafeBitCast(symbol, to: type)
        }
        let features = try function("mbx_get_cpu_features", as: CryptoMBGetFeatures.self)()
        let needed = UInt64(CRYPTO_MB_AVX512_IFMA | CRYPTO_MB_AVX512_ENABLED_BY_SYSTEM)
        guard features & needed == needed else { throw .noInstructions }
        let bits = Int32(RSAFactors.bits)
        guard let method = try function("mbx_RSA_private_crt_Method", as: CryptoMBGetMethod.self)(bits) else {
            throw .noInstructions
        }
        (self.file, self.method) = (file, method)
        sign = try function("mbx_rsa_private_crt_mb8", as: CryptoMBSign.self)
        bufferBytes = Int(try function("mbx_RSA_Method_BufSize", as: CryptoMBGetBufferSize.self)(method))
    }

    /// Intel's builds name libraries of its compiler. In the package that pip installs these are in the same folder, where
    /// the loader does not search; it takes what is loaded already.
    private static func loadCompanions(of file: String) {
        guard let slash = file.lastIndex(of: "/") else { return }
        for name in ["libintlc.so.5", "libimf.so", "libirng.so", "libsvml.so"] {
            _ = dlopen(file[...slash] + name, RTLD_NOW | RTLD_LOCAL)
        }
    }

    /// False after a wrong signature.
    package var isUsable: Bool { fault == nil }
    /// The first wrong signature; nil if there was none.
    package var fault: CryptoMBError? { firstFault.withLock { $0 } }
    /// Signatures that it made wrongly.
    package var wrongSignatures: Int { wrong.load(ordering: .relaxed) }

    /// Counts wrong signatures, of which the fault is the first, and ends the library's use. Whether this call did.
    func fail(_ fault: CryptoMBError, wrong count: Int) -> Bool {
        wrong.add(count, ordering: .relaxed)
        return firstFault.withLock { first in
            defer { first = first ?? fault }
            return first == nil
        }
    }

    /// Runs the test once, and again if it threw.
    func testOnce(_ test: () throws(CryptoMBError) -> Void) throws(CryptoMBError) {
        try isTested.withLock { isTested throws(CryptoMBError) in
            if !isTested { try test() }
            isTested = true
        }
    }

    /// The results, in order; nil where the library reports an error. They are not verified. Takes 1 to `lanes` lanes.
    func apply(_ lanes: [Lane]) -> [[UInt8]?] {
        let (blockBytes, count) = (Self.blockBytes, Self.lanes)
        guard (1...count).contains(lanes.count) else { return lanes.map { _ in nil } }
        // Besides its blocks, the library leaves values there that depend on the keys. The memory is kept for later batches:
        // freed each time, it left gaps on the heap that small objects kept open.
        let memory =
            workspaces.withLock { $0.popLast() } ?? SecretMemory(byteCount: 2 * count * blockBytes + bufferBytes)
        defer {
            memory.wipe()
            workspaces.withLock { $0.append(memory) }
        }
        guard let start = memory.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            return lanes.map { _ in nil }
        }
        let places = (0..<count).map { start + $0 * blockBytes }
        let results: [UnsafeMutablePointer<UInt8>?] = (0..<count).map { start + (count + $0) * blockBytes }
        for (place, lane) in zip(places, lanes) { place.update(from: lane.block, count: blockBytes) }
        // Lanes without a block of their own repeat the first, since an empty lane is an error.
        func lane(_ index: Int) -> Int { index < lanes.count ? index : 0 }
        func words(_ integer: RSAFactors.Integer) -> [UnsafePointer<UInt64>?] {
            (0..<count).map { lanes[lane($0)].factors.words(of: integer) }
        }
        let status = sign(
            (0..<count).map { UnsafePointer(places[lane($0)]) }, results, words(.p), words(.q), words(.dp), words(.dq),
            words(.inverseOfQ), Int32(RSAFactors.bits), method, start + 2 * count * blockBytes)
        return lanes.indices.map { index in
            guard (status >> (4 * UInt32(index))) & 0xF == 0 else { return nil }
            return Array(UnsafeBufferPointer(start: results[index], count: blockBytes))
        }
    }
}
