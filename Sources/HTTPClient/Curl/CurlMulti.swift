import CCurl

/// The one owner of a multi handle: the transfers under way, and the connections and names that they share.
///
/// `@unchecked Sendable`: `wakeUp` may be called from any thread (curl_multi_wakeup(3)), and all else is called by the one
/// `TransferLoop` alone.
final class CurlMulti: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer

    /// A handle with room for so many connections; `CurlLibrary.require` must have succeeded.
    init(_ settings: HTTPClientSettings) throws(CurlFailure) {
        guard let multi = ccurl_multi_init() else { throw CurlFailure.outOfMemory }
        pointer = multi
        // The queue keeps both limits for requests; this keeps them for connections, of which idle ones are kept open.
        try set(CURLMOPT_MAXCONNECTS, settings.maxConnections)
        try set(CURLMOPT_MAX_TOTAL_CONNECTIONS, settings.maxConnections)
        try set(CURLMOPT_MAX_HOST_CONNECTIONS, settings.maxConnectionsPerHost)
    }

    deinit { ccurl_multi_cleanup(pointer) }

    /// Ends the wait that is going on, or the next.
    func wakeUp() { ccurl_multi_wakeup(pointer) }

    /// Begins a transfer.
    func add(_ easy: CurlEasy) throws(CurlFailure) { try check(ccurl_multi_add_handle(pointer, easy.pointer)) }

    /// Takes a transfer out, wherever it stands.
    func remove(_ easy: CurlEasy) { ccurl_multi_remove_handle(pointer, easy.pointer) }

    /// Does all that can be done without waiting.
    func perform() throws(CurlFailure) { try check(ccurl_multi_perform(pointer)) }

    /// Waits until something can be done, `wakeUp` is called or the time is up.
    func wait(_ duration: Duration) throws(CurlFailure) {
        try check(ccurl_multi_poll(pointer, duration.wholeMilliseconds))
    }

    /// The next transfer that has ended, by its handle, and how.
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
    /// The duration in milliseconds, rounded up so that no wait ends just before what it is for; never negative.
    var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        return Int32(clamping: max(0, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
