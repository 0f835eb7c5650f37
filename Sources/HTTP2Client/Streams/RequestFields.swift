import CNGHTTP2
import HTTPClient

/// A request's fields as the library takes them: it copies them. The next request uses the same memory; until then the access
/// token stays there.
struct RequestFields {
    private var text: [UInt8] = []
    private var lengths: [(name: Int, value: Int)] = []

    /// Replaces them with those of this request.
    mutating func set(_ request: HTTPClientRequest, to place: RequestPlace, bodyBytes: Int) {
        text.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        switch request.method {
        case .get: add(":method", "GET")
        case .post: add(":method", "POST")
        case .put: add(":method", "PUT")
        }
        add(":scheme", place.scheme)
        add(":authority", place.authority)
        add(":path", place.path)
        for field in request.fields { add(field.name, field.value) }
        if request.method != .get { add("content-length", String(bodyBytes)) }
    }

    private mutating func add(_ name: String, _ value: String) {
        text += name.utf8
        text += value.utf8
        lengths.append((name.utf8.count, value.utf8.count))
    }

    /// Calls with pairs that are valid until it returns.
    func withPairs(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Int32) -> Int32 {
        text.withUnsafeBytes { text in
            withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: lengths.count) { pairs in
                var place = UnsafeMutablePointer(mutating: text.assumingMemoryBound(to: UInt8.self).baseAddress)
                for (index, length) in lengths.enumerated() {
                    let value = place.map { $0 + length.name }
                    pairs.initializeElement(
                        at: index,
                        to: nghttp2_nv(
                            name: place, value: value, namelen: length.name, valuelen: length.value, flags: 0))
                    place = value.map { $0 + length.value }
                }
                return body(pairs.baseAddress, lengths.count)
            }
        }
    }
}

/// A URL as a request names it (RFC 9113 section 8.3.1).
struct RequestPlace {
    let url: OutgoingURL
    let scheme: String
    let authority: String
    let path: String

    init(_ url: OutgoingURL) {
        self.url = url
        scheme = url.isSecure ? "https" : "http"
        authority = url.port == (url.isSecure ? 443 : 80) ? url.host : url.endpoint
        path = url.target
    }
}
