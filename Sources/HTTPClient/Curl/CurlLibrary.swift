import CCurl

/// libcurl, loaded when the first client is created, since most configurations do not need it.
enum CurlLibrary {
    /// The library's name with only the major version, as the dynamic loader expects it.
    static let name = "libcurl.so.4"

    private static let loaded = Result { () throws(HTTPClientUnavailable) in try load(name) }

    /// Loads it once; every call has the same result.
    static func require() throws(HTTPClientUnavailable) { try loaded.get() }

    /// Loads the library of this name and initialises it; call it from one thread, before any other function of it.
    static func load(_ name: String) throws(HTTPClientUnavailable) {
        if let problem = ccurl_load(name) {
            throw HTTPClientUnavailable(library: name, reason: String(cString: problem))
        }
        let code = ccurl_global_init(Int(CURL_GLOBAL_ALL))
        guard code == CURLE_OK else {
            throw HTTPClientUnavailable(library: name, reason: String(cString: ccurl_easy_strerror(code)))
        }
    }
}

/// Why outgoing requests are not possible.
package struct HTTPClientUnavailable: Error, Hashable, Sendable {
    /// One sentence with the remedy.
    package let sentence: String

    init(library: String, reason: String) {
        // dlerror(3) starts with the library's name too.
        let reason = reason.hasPrefix("\(library): ") ? String(reason.dropFirst(library.count + 2)) : reason
        sentence = "\(library) cannot be loaded: \(reason); install libcurl4"
    }
}

/// A failed call of libcurl, with libcurl's fixed text for the error.
struct CurlFailure: Error {
    let reason: String

    init(_ code: CURLcode) { reason = String(cString: ccurl_easy_strerror(code)) }

    init(_ code: CURLMcode) { reason = String(cString: ccurl_multi_strerror(code)) }

    /// The only reason why a handle or a list cannot be created.
    static let outOfMemory = CurlFailure(CURLE_OUT_OF_MEMORY)
}
