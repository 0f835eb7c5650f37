import CCurl

/// A failed call of libcurl, with libcurl's fixed text for the error.
struct CurlFailure: Error {
    let reason: String

    init(_ code: CURLcode) { reason = String(cString: ccurl_easy_strerror(code)) }

    init(_ code: CURLMcode) { reason = String(cString: ccurl_multi_strerror(code)) }

    /// The only reason why a handle or a list cannot be created.
    static let outOfMemory = CurlFailure(CURLE_OUT_OF_MEMORY)
}
