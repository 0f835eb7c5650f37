import CCurl

/// The one owner of an easy handle: one transfer.
final class CurlEasy {
    let pointer: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var fields: UnsafeMutablePointer<curl_slist>?

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

    /// Sets a text, which libcurl copies; nil takes the option's own away.
    func set(_ option: CURLoption, _ value: String?) throws(CurlFailure) {
        guard let value else { return try check(ccurl_easy_setopt_pointer(pointer, option, nil)) }
        try check(value.withCString { ccurl_easy_setopt_pointer(pointer, option, $0) })
    }

    /// Sets what is called with what comes in, and what it is given; the owner of `context` keeps it alive as long as the
    /// transfer goes on.
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
        // The size comes first, or libcurl would look for the end of a string.
        try set(CURLOPT_POSTFIELDSIZE, body.count)
        // Without an address, as an empty body may be, libcurl would read from standard input.
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

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return ccurl_easy_getinfo_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        guard ccurl_easy_getinfo_string(pointer, info, &value) == CURLE_OK else { return nil }
        return value.map { String(cString: $0) }
    }

    /// libcurl's own words for what went wrong, in visible ASCII: a peer's certificate may be quoted in them. Nil if it had
    /// none.
    var errorDetail: String? {
        let visible = String(cString: errorText).unicodeScalars.map { (" "..."~").contains($0) ? $0 : "?" }
        return visible.isEmpty ? nil : String(String.UnicodeScalarView(visible))
    }

    private func check(_ code: CURLcode) throws(CurlFailure) {
        guard code == CURLE_OK else { throw CurlFailure(code) }
    }
}
