import TestSupport
import Testing

@testable import FleetEngineToken
@testable import HTTPServer
@testable import ServiceConfiguration
@testable import TokenService

/// Tokens that are signed together.
@Suite struct BatchedMintTests {
    private static let now: Int64 = 1_800_000_000
    private let time = ServerTime(monotonic: 0, epochSeconds: BatchedMintTests.now)
    private let log = RecordedLog()
    private let handout: TokenHandout

    init() {
        handout = TokenHandout(
            cache: TokenCache(maxBytes: 1 << 20, reuseFraction: 0.5),
            answer: TokenAnswer(names: Configuration.Answer()) { _ in ClientMargin(Configuration.Token()) },
            records: TokenRecords(
                audit: nil, recordsReused: false, label: .plain, refusals: RefusalRecords(nil, logger: log.logger)),
            logger: log.logger)
    }

    private func mints(_ ids: [String], by signer: CountingBatchSigner) throws -> [BatchedMint] {
        let minter = TokenMinter(signer: signer, policy: try TokenPolicy())
        return try ids.map { id in
            let key = TokenKey(claims: .trip(try FleetEngineID(id)), profile: minter.profile)
            return BatchedMint(key, minter, for: handout)
        }
    }

    private func perform(_ mints: [BatchedMint]) { mints[0].perform(with: Array(mints.dropFirst()), at: time) }

    @Test func `a token that several requests want is signed once`() throws {
        let signer = CountingBatchSigner()
        let mints = try mints(["a", "b", "a", "c", "b"], by: signer)
        perform(mints)
        #expect(mints.map { $0.token != nil } == [true, true, false, true, false])
        #expect(signer.batches == [3])
        #expect(handout.signatures.durations.counts.reduce(0, +) == 3)
        #expect(handout.signatures.batched == 3)
    }

    @Test func `a token that is cached by now is not signed`() throws {
        let signer = CountingBatchSigner()
        let mints = try mints(["a", "b", "c"], by: signer)
        perform(Array(mints))
        let token = try #require(mints[1].token)
        let profile = TokenMinter(signer: signer, policy: try TokenPolicy()).profile
        let key = TokenKey(claims: .trip(try FleetEngineID("b")), profile: profile)
        handout.cache.insert(RenderedToken(token, rendered: []), for: key, at: Self.now)
        let later = try self.mints(["b", "d", "e", "f"], by: signer)
        perform(later)
        #expect(later.map { $0.token != nil } == [false, true, true, true])
        #expect(signer.batches == [3, 3])
    }

    @Test func `a token without the batch's signature is minted alone`() throws {
        let mints = try mints(["a", "b", "c"], by: CountingBatchSigner(omitting: 1, fault: "lane 1 is wrong"))
        perform(mints)
        #expect(mints.map { $0.token != nil } == [true, false, true])
        #expect(log.text.contains("tokens are no longer signed in batches"))
        #expect(log.text.contains("lane 1 is wrong"))
    }

    @Test func `a signer that cannot sign batches now is asked for single signatures`() throws {
        let signer = CountingBatchSigner(batchSizes: nil)
        #expect(TokenMinter(signer: signer, policy: try TokenPolicy()).batchSizes == nil)
        #expect(TokenMinter(signer: FakeSigner(holding: nil), policy: try TokenPolicy()).batchSizes == nil)
        #expect(TokenMinter(signer: CountingBatchSigner(), policy: try TokenPolicy()).batchSizes == 3...8)
    }
}

/// Signs batches with made-up signatures, and remembers their sizes.
private final class CountingBatchSigner: BatchTokenSigner {
    let account = "fake@test.example"
    let keyID = "fake"
    let batchSizes: ClosedRange<Int>?
    private let omitted: Int?
    private let fault: String?
    private let sizes = Locked<[Int]>([])

    init(omitting omitted: Int? = nil, fault: String? = nil, batchSizes: ClosedRange<Int>? = 3...8) {
        (self.omitted, self.fault, self.batchSizes) = (omitted, fault, batchSizes)
    }

    var batches: [Int] { sizes.withLock { $0 } }

    func sign(_ message: [UInt8]) -> [UInt8] { [1] }

    func sign(together orders: [BatchOrder]) -> BatchedSignatures {
        sizes.withLock { $0.append(orders.count) }
        return (orders.indices.map { $0 == omitted ? nil : [2] }, fault)
    }
}
