import CCurl

extension CurlEasy {
    /// Otherwise requests would share a connection of HTTP/2 that a network lost silently until the kernel gives it up,
    /// after a quarter of an hour.
    static let silenceLimit = Duration.seconds(10)

    /// Sets the options of every request: nothing comes from the environment, and certificates are always verified.
    func restrict(_ settings: HTTPClientSettings) throws(CurlFailure) {
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
        // `PendingRequest` checks and follows each redirect itself.
        try set(CURLOPT_FOLLOWLOCATION, 0)
        // CURL_NETRC_IGNORED, which is an enumeration's value in older headers and a number in newer ones.
        try set(CURLOPT_NETRC, 0)
        // libcurl, 8.23 too, takes a stream that the server resets without an error for one that ended (RFC 9113 section 8.1).
        // So answers are only to be proven whole by HTTP/1.1, unless many requests share a connection.
        try set(
            CURLOPT_HTTP_VERSION,
            settings.maxRequestsPerConnection > 1 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        // Otherwise cancelling during a name lookup would wait for its result. Unknown before 7.87.
        try? set(CURLOPT_QUICK_EXIT, 1)
        // Otherwise the first requests would each open a connection, before one is known to carry several.
        try set(CURLOPT_PIPEWAIT, settings.maxRequestsPerConnection > 1 ? 1 : 0)
        try limitSilence(Self.silenceLimit)
        guard let authorities = settings.egress.authorities else { return }
        try setAuthorities(authorities)
        // Otherwise the system's certificate folder would be trusted in addition.
        try set(CURLOPT_CAPATH, nil)
    }

    /// Sends the request through a proxy, which sees none of its headers, or through none.
    func pass(_ proxy: OutgoingProxy?) throws(CurlFailure) {
        try set(CURLOPT_PROXY, proxy?.text ?? "")
        try set(CURLOPT_NOPROXY, proxy == nil ? "*" : "")
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    /// Sets the URL, the method, the body and the headers. After a redirect `url` is not the request's own, and
    /// `sendsFields` says whether its headers may be sent there.
    func describe(_ request: HTTPClientRequest, to url: OutgoingURL, sendsFields: Bool) throws(CurlFailure) {
        try set(CURLOPT_URL, url.text)
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(request.limits.connectTimeout.wholeMilliseconds))
        switch request.method {
        case .get: break
        case .post(let body): try setBody(body)
        case .put(let body):
            try setBody(body)
            try set(CURLOPT_CUSTOMREQUEST, "PUT")
        }
        let fields = sendsFields ? request.fields : []
        // In libcurl's notation a name with only a colon removes the default field; a semicolon sends an empty value.
        let ownFields = ["accept", "content-type", "expect"].filter { name in !fields.contains { $0.name == name } }
        try setFields(
            ownFields.map { "\($0):" } + fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" })
    }
}
