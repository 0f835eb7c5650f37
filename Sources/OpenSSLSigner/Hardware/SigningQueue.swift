import Concurrency
import Dispatch
import OpenSSLCrypto

/// Signs with one opening of a key, one message after another on a thread of its own, since a token may not answer.
final class SigningQueue: Sendable {
    typealias Completion = @Sendable (Result<[UInt8], SigningFault>) -> Void
    /// Calls its argument at the deadline of a signature.
    typealias Timer = @Sendable (@escaping @Sendable () -> Void) -> Void

    /// As many renewals as there are at most, and as many requests.
    static let maxWaiting = 512

    let opened: OpenedKey
    private let timer: Timer
    private let progress = Progress()
    private let queue = DispatchQueue(label: "hardware-signatures")

    init(_ opened: OpenedKey, _ timer: @escaping Timer) {
        (self.opened, self.timer) = (opened, timer)
    }

    /// Calls the completion once, on any thread: with the signature, or at its deadline.
    func sign(_ message: [UInt8], _ completion: @escaping Completion) {
        guard let before = progress.begin() else { return completion(.failure(.busy)) }
        let call = PendingCall(completion)
        queue.async { [self] in
            call.isPending ? opened.result(message) : .failure(.busy)
        } then: { [progress] result in
            progress.end()
            call.complete(result)
        }
        // Nothing here keeps the opening, which ends with its last signature.
        timer { [progress] in
            call.complete(.failure(progress.ended == before ? .noAnswer : .busy))
        }
    }

    /// Makes a signature, which has to verify. Throws if none comes in time.
    func probe() throws(HardwareKeyError) {
        switch Awaited(start: { sign([], $0) }).value() {
        case .success?: return
        case .failure(.wrong)?: throw .unusable(KeyError.probeFailed.sentence)
        case .failure(.refused(let error))?: throw error
        case .failure, nil: throw .noAnswer
        }
    }
}

extension OpenedKey {
    fileprivate func result(_ message: [UInt8]) -> Result<[UInt8], SigningFault> {
        do throws(HardwareKeyError) {
            let signature = try sign(message)
            // No token leaves with a signature that its receivers would refuse.
            return publicKey.verify(signature, of: message, by: .rs256) ? .success(signature) : .failure(.wrong)
        } catch {
            return .failure(.refused(error))
        }
    }
}

/// Why a queue has made no signature.
enum SigningFault: Error {
    case refused(HardwareKeyError)
    /// The signature does not verify.
    case wrong
    /// No signature has ended in all the time that one may take.
    case noAnswer
    /// Too many wait, or have waited too long.
    case busy
}

/// How many signatures wait and have ended.
private final class Progress: Sendable {
    private let counts = Guarded((waiting: 0, ended: 0))

    /// The number that have ended before; nil if too many wait.
    func begin() -> Int? {
        counts.withLock { counts in
            guard counts.waiting < SigningQueue.maxWaiting else { return nil }
            counts.waiting += 1
            return counts.ended
        }
    }

    func end() { counts.withLock { $0 = ($0.waiting - 1, $0.ended + 1) } }

    var ended: Int { counts.withLock { $0.ended } }
}

/// A completion that is called once.
private final class PendingCall: Sendable {
    private let completion: Guarded<SigningQueue.Completion?>

    init(_ completion: @escaping SigningQueue.Completion) { self.completion = Guarded(completion) }

    var isPending: Bool { completion.withLock { $0 != nil } }

    func complete(_ result: Result<[UInt8], SigningFault>) {
        completion.withLock { $0.take() }?(result)
    }
}
