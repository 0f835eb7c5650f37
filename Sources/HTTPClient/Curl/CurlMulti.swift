import CCurl

/// The one owner of a multi handle: the active transfers, and the connections and names that they share.
///
/// `@unchecked Sendable`: `wakeUp` may be called from any thread (curl_multi_wakeup(3)); only the one `TransferLoop`
/// calls the rest.
final class CurlMulti: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer

    /// A handle with the limits of the settings; `CurlLibrary.require` must have succeeded.
    init(_ settings: HTTPClientSettings) throws(CurlFailure) {
        guard let multi = ccurl_multi_init() else { throw CurlFailure.outOfMemory }
        pointer = multi
        // The queue enforces the limits on requests; this enforces those on connections, which stay open while idle.
        try set(CURLMOPT_MAXCONNECTS, settings.maxConnections)
        try set(CURLMOPT_MAX_TOTAL_CONNECTIONS, settings.maxConnections)
        try set(CURLMOPT_MAX_HOST_CONNECTIONS, settings.maxConnectionsPerHost)
        try set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        try set(CURLMOPT_MAX_CONCURRENT_STREAMS, settings.maxRequestsPerConnection)
    }

    deinit { ccurl_multi_cleanup(pointer) }

    /// Ends the current wait, or the next one.
    func wakeUp() { ccurl_multi_wakeup(pointer) }

    /// Starts a transfer.
    func add(_ easy: CurlEasy) throws(CurlFailure) { try check(ccurl_multi_add_handle(pointer, easy.pointer)) }

    /// Removes a transfer in any state.
    func remove(_ easy: CurlEasy) { ccurl_multi_remove_handle(pointer, easy.pointer) }

    /// Does everything that is possible without waiting.
    func perform() throws(CurlFailure) { try check(ccurl_multi_perform(pointer)) }

    /// Waits until a transfer can continue, `wakeUp` is called or the time is up.
    func wait(_ duration: Duration) throws(CurlFailure) {
        try check(ccurl_multi_poll(pointer, duration.wholeMilliseconds))
    }

    /// The handle and the result of the next transfer that has ended.
    func nextEnded() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        var code = CURLE_OK
        return ccurl_multi_next_done(pointer, &code).map { ($0, code) }
    }

    private func set(_ option: CURLMoption, _ value: Int) throws(CurlFailure) {
        try check(ccurl_multi_setopt_long(pointer, option, value))
    }

    private func check(_ code: CURLMcode) throws(CurlFailure) {
        guard code == CURLM_OK else { throw CurlFailure(code) }
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up so that no wait ends before its deadline; never negative.
    var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        return Int32(clamping: max(0, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
