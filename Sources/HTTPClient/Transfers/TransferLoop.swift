import CCurl
import Dispatch

/// The one thread of a client: starts requests, runs libcurl and delivers the answers.
final class TransferLoop {
    /// Milliseconds between a failure of libcurl and the next try.
    private static let pause = 100

    private let mailbox: RequestMailbox
    private let settings: HTTPClientSettings
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]

    init(_ mailbox: RequestMailbox, _ settings: HTTPClientSettings) {
        self.mailbox = mailbox
        self.settings = settings
    }

    /// Runs until the client is shut down.
    func run() {
        while !mailbox.withQueue({ $0.isClosed }) {
            do { try turn() } catch { recover(from: error) }
        }
        giveUp(.shutDown)
    }

    /// Without memory or descriptors libcurl cannot even wait: the requests fail, and later ones have a new handle. The
    /// pause keeps the loop from spinning.
    private func recover(from failure: CurlFailure) {
        giveUp(.other(reason: failure.reason))
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(Self.pause))
        try? mailbox.renew()
    }

    private func turn() throws(CurlFailure) {
        let now = ContinuousClock.now
        for request in mailbox.withQueue({ $0.expire(at: now) }) {
            request.fail(.timeout(.waiting, after: request.request.limits.totalTimeout))
        }
        expireTransfers(at: now)
        while let request = mailbox.withQueue({ $0.begin() }) { begin(request) }
        try mailbox.multi.perform()
        var isWaiting = true
        while let (easy, code) = mailbox.multi.nextEnded() {
            isWaiting = false
            if let transfer = transfers[easy] { end(transfer, transfer.outcome(code)) }
        }
        // Each ended transfer may let a waiting request start.
        if isWaiting { try mailbox.multi.wait(untilNextDeadline) }
    }

    private func begin(_ request: PendingRequest) {
        do throws(CurlFailure) {
            let transfer = try Transfer(request, settings)
            try mailbox.multi.add(transfer.easy)
            transfers[transfer.easy.pointer] = transfer
        } catch {
            mailbox.withQueue { $0.end(request) }
            request.fail(.other(reason: error.reason))
        }
    }

    private func expireTransfers(at now: ContinuousClock.Instant) {
        for transfer in transfers.values where transfer.pending.deadline <= now {
            end(transfer, .failed(transfer.expiry))
        }
    }

    /// Removes a transfer before its completion, which may then start another request.
    private func end(_ transfer: Transfer, _ outcome: Transfer.Outcome) {
        let pending = transfer.pending
        mailbox.multi.remove(transfer.easy)
        transfers[transfer.easy.pointer] = nil
        mailbox.withQueue { $0.end(pending) }
        switch outcome {
        case .moved(let next):
            if let refusal = mailbox.withQueue({ $0.goOn(next) }) { next.fail(refusal) }
        case .answered(let response):
            pending.complete(.success(response))
        case .failed(let cause, let status):
            pending.fail(cause, status: status, through: transfer.proxy?.endpoint)
        }
    }

    private func giveUp(_ cause: HTTPClientError.Cause) {
        for transfer in transfers.values { end(transfer, .failed(cause)) }
        for request in mailbox.withQueue({ $0.clear() }) { request.fail(cause) }
    }

    private var untilNextDeadline: Duration {
        let waiting = mailbox.withQueue { $0.earliestDeadline }
        let deadlines = transfers.values.map(\.pending.deadline) + (waiting.map { [$0] } ?? [])
        return deadlines.min().map { ContinuousClock.now.duration(to: $0) } ?? .seconds(3600)
    }
}
