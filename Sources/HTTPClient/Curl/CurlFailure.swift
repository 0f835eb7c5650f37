import CCurl

/// A call of libcurl that failed, in libcurl's fixed words.
struct CurlFailure: Error {
    let reason: String

    init(_ code: CURLcode) { reason = String(cString: ccurl_easy_strerror(code)) }

    init(_ code: CURLMcode) { reason = String(cString: ccurl_multi_strerror(code)) }

    /// No memory, which is the only reason for which a handle or a list cannot be made.
    static let outOfMemory = CurlFailure(CURLE_OUT_OF_MEMORY)
}
