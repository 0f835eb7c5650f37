import CCurl

/// libcurl, loaded when a client is first made, since most configurations need none.
enum CurlLibrary {
    /// The library's name without its minor version, which is what the loader looks for.
    static let name = "libcurl.so.4"

    private static let loaded = Result { () throws(HTTPClientUnavailable) in try load(name) }

    /// Loads it unless it was; always the same answer.
    static func require() throws(HTTPClientUnavailable) { try loaded.get() }

    /// Loads a library of this name and sets it up; for one thread, before anything else of it is used.
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

/// Why there can be no outgoing requests.
package struct HTTPClientUnavailable: Error, Hashable, Sendable {
    /// One sentence with what to do.
    package let sentence: String

    init(library: String, reason: String) {
        // dlerror(3) begins with the library's name as well.
        let reason = reason.hasPrefix("\(library): ") ? String(reason.dropFirst(library.count + 2)) : reason
        sentence = "\(library) cannot be loaded: \(reason); install libcurl4"
    }
}
