import CCurl

/// One active request: libcurl's handle, and the answer so far.
final class Transfer {
    /// How a transfer ended.
    enum Outcome {
        case answered(HTTPClientResponse)
        case moved(PendingRequest)
        /// The status is that of an answer that was too large, or of a redirect.
        case failed(HTTPClientError.Cause, status: Int? = nil)
    }

    let pending: PendingRequest
    let easy: CurlEasy
    /// Nil if the request goes through none.
    let proxy: OutgoingProxy?
    private let start = ContinuousClock.now
    private var answer: AnswerCollector

    init(_ pending: PendingRequest, _ settings: HTTPClientSettings) throws(CurlFailure) {
        self.pending = pending
        answer = AnswerCollector(maxBodyBytes: pending.request.limits.maxBodyBytes)
        proxy = settings.egress.proxy(to: pending.url)
        easy = try CurlEasy()
        try easy.restrict(settings)
        try easy.pass(proxy)
        try easy.describe(pending.request, to: pending.url, sendsFields: pending.sendsFields)
        // This object owns the handle, so libcurl never calls back after its release.
        let context = Unmanaged.passUnretained(self).toOpaque()
        try easy.set(CURLOPT_HEADERFUNCTION, Self.receiveLine, CURLOPT_HEADERDATA, context)
        try easy.set(CURLOPT_WRITEFUNCTION, Self.receiveBody, CURLOPT_WRITEDATA, context)
    }

    /// The outcome for libcurl's result.
    func outcome(_ code: CURLcode) -> Outcome {
        if let excess = answer.excess { return .failed(excess, status: easy.number(CURLINFO_RESPONSE_CODE)) }
        guard code == CURLE_OK else { return .failed(cause(code)) }
        // libcurl accepts the end of the connection as the end of the head, so fields may be missing.
        guard answer.isHeadComplete else { return .failed(.other(reason: "the answer ends within its headers")) }
        let status = easy.number(CURLINFO_RESPONSE_CODE)
        guard [301, 302, 303, 307, 308].contains(status), let location = easy.text(CURLINFO_REDIRECT_URL) else {
            return .answered(
                answer.response(status: status, length: easy.length, through: proxy?.endpoint))
        }
        do { return .moved(try pending.redirected(to: location)) } catch {
            return .failed(.redirect(reason: error.reason), status: status)
        }
    }

    private func cause(_ code: CURLcode) -> HTTPClientError.Cause {
        if let reason = proxyFault(code) { return .proxy(reason: reason) }
        switch code {
        case CURLE_COULDNT_CONNECT: return .cannotConnect(reason: systemError)
        case CURLE_COULDNT_RESOLVE_HOST:
            return .unresolved
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return .tls(reason: easy.errorDetail ?? CurlFailure(code).reason)
        case CURLE_OPERATION_TIMEDOUT:
            // The only timeout that libcurl checks; the loop checks the total.
            return .timeout(connectPhase, after: pending.request.limits.connectTimeout)
        default:
            // libcurl's error text may quote received bytes.
            return .other(reason: CurlFailure(code).reason)
        }
    }

    /// Why the proxy has opened no way to the server: the predicate of a sentence; nil if it has, or there is none.
    private func proxyFault(_ code: CURLcode) -> String? {
        // A connection that is used again has been opened before.
        guard proxy != nil, easy.time(CURLINFO_PRETRANSFER_TIME_T) == 0 else { return nil }
        switch (easy.number(CURLINFO_HTTP_CONNECTCODE), code) {
        case (let status, _) where [401, 407].contains(status):
            return "does not accept its credentials, or asks for some (status \(status))"
        case (let status, _) where status >= 300: return "refuses the way there (status \(status))"
        case (0, CURLE_COULDNT_RESOLVE_PROXY): return "has a name without an address, or no DNS server answers"
        case (0, CURLE_COULDNT_CONNECT): return "cannot be reached: \(systemError)"
        case (0, CURLE_OPERATION_TIMEDOUT):
            return "did not open the way within \(pending.request.limits.connectTimeout)"
        case (200..., let code) where code != CURLE_RECV_ERROR: return nil
        default: return "gave no valid answer to CONNECT"
        }
    }

    /// The system's error of a connection that failed.
    private var systemError: String {
        let number = Int32(truncatingIfNeeded: easy.number(CURLINFO_OS_ERRNO))
        return number == 0 ? CurlFailure(CURLE_COULDNT_CONNECT).reason : String(cString: strerror(number))
    }

    /// Why the end of the total time fails it. A request that waited for a tenth of that time, in our own queue, says nothing
    /// about the server.
    var expiry: HTTPClientError.Cause {
        let limit = pending.request.limits.totalTimeout
        // A redirect is a part of the answer.
        let isLate = pending.redirects == 0 && start.duration(to: pending.deadline) < limit * 0.9
        if !isLate, let reason = proxyFault(CURLE_OPERATION_TIMEDOUT) { return .proxy(reason: reason) }
        return .timeout(isLate ? .late : .answering, after: limit)
    }

    /// What was not done when the time to connect had passed. libcurl leaves the time of a lookup that has not ended
    /// at 0, and so the port before there is a TCP connection.
    private var connectPhase: HTTPClientError.Phase {
        if easy.time(CURLINFO_NAMELOOKUP_TIME_T) == 0 { return .resolving }
        return easy.number(CURLINFO_PRIMARY_PORT) == 0 ? .connecting : .securing
    }

    private static let receiveLine: curl_write_callback = { bytes, size, count, context in
        Transfer.receive(bytes, size * count, context) { $0.answer.takeLine($1) }
    }

    private static let receiveBody: curl_write_callback = { bytes, size, count, context in
        Transfer.receive(bytes, size * count, context) { $0.answer.takeBody($1) }
    }

    /// Returns how many bytes were taken; libcurl ends the transfer unless all were.
    private static func receive(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        _ take: (Transfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let context, count > 0 else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        return take(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }
}
