import CCurl

/// The one owner of an easy handle: one transfer.
final class CurlEasy {
    let pointer: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var fields: UnsafeMutablePointer<curl_slist>?
    /// libcurl does not copy them.
    private var authorities: TrustedAuthorities?

    init() throws(CurlFailure) {
        guard let easy = ccurl_easy_init() else { throw CurlFailure.outOfMemory }
        pointer = easy
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try check(ccurl_easy_setopt_pointer(pointer, CURLOPT_ERRORBUFFER, errorText))
    }

    deinit {
        ccurl_easy_cleanup(pointer)
        ccurl_slist_free_all(fields)
        errorText.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) throws(CurlFailure) {
        try check(ccurl_easy_setopt_long(pointer, option, value))
    }

    /// Sets a text, which libcurl copies; nil removes the default of the option.
    func set(_ option: CURLoption, _ value: String?) throws(CurlFailure) {
        guard let value else { return try check(ccurl_easy_setopt_pointer(pointer, option, nil)) }
        try check(value.withCString { ccurl_easy_setopt_pointer(pointer, option, $0) })
    }

    /// Trusts these authorities.
    func setAuthorities(_ authorities: TrustedAuthorities) throws(CurlFailure) {
        self.authorities = authorities
        try check(ccurl_easy_setopt_authorities(pointer, authorities.bytes.baseAddress, authorities.bytes.count))
    }

    /// Sets a callback for received bytes and its context. The owner of `context` keeps it alive until the transfer has
    /// ended.
    func set(
        _ option: CURLoption, _ receiver: @escaping curl_write_callback, _ contextOption: CURLoption,
        _ context: UnsafeMutableRawPointer
    ) throws(CurlFailure) {
        try check(ccurl_easy_setopt_receiver(pointer, option, receiver))
        try check(ccurl_easy_setopt_pointer(pointer, contextOption, context))
    }

    /// Sets a body to post, which libcurl copies.
    func setBody(_ body: [UInt8]) throws(CurlFailure) {
        try set(CURLOPT_POST, 1)
        // The size must come first, or libcurl would call strlen.
        try set(CURLOPT_POSTFIELDSIZE, body.count)
        // An empty array may have no address, and libcurl would then read from standard input.
        let bytes = body + [0]
        try check(bytes.withUnsafeBytes { ccurl_easy_setopt_pointer(pointer, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) })
    }

    /// Sets lines of fields in libcurl's notation (CURLOPT_HTTPHEADER(3)).
    func setFields(_ lines: [String]) throws(CurlFailure) {
        for line in lines {
            guard let longer = ccurl_slist_append(fields, line) else { throw CurlFailure.outOfMemory }
            fields = longer
        }
        try check(ccurl_easy_setopt_pointer(pointer, CURLOPT_HTTPHEADER, fields))
    }

    /// The kernel closes the connection if its peer acknowledges nothing for so long.
    func limitSilence(_ limit: Duration) throws(CurlFailure) {
        try check(ccurl_easy_limit_silence(pointer, UInt32(limit.wholeMilliseconds)))
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return ccurl_easy_getinfo_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    /// A time in microseconds.
    func time(_ info: CURLINFO) -> Int { offset(info) ?? 0 }

    /// The length of the body as the head of the answer says; nil if it does not.
    var length: Int? {
        let length = offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        return length == -1 ? nil : length
    }

    private func offset(_ info: CURLINFO) -> Int? {
        var value: curl_off_t = 0
        return ccurl_easy_getinfo_offset(pointer, info, &value) == CURLE_OK ? Int(value) : nil
    }

    func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        guard ccurl_easy_getinfo_string(pointer, info, &value) == CURLE_OK else { return nil }
        return value.map { String(cString: $0) }
    }

    /// libcurl's description of the error, in visible ASCII, since it may quote a peer's certificate. Nil if there is
    /// none.
    var errorDetail: String? {
        let visible = String(cString: errorText).unicodeScalars.map { (" "..."~").contains($0) ? $0 : "?" }
        return visible.isEmpty ? nil : String(String.UnicodeScalarView(visible))
    }

    private func check(_ code: CURLcode) throws(CurlFailure) {
        guard code == CURLE_OK else { throw CurlFailure(code) }
    }
}
