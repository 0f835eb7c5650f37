import CCurl

extension CurlEasy {
    /// What holds for every request: nothing is taken from the environment or kept, and certificates are always verified.
    func restrict(trusting certificateAuthorities: String?) throws(CurlFailure) {
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
        // Redirects are followed one by one by who can tell where they may lead.
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_NOPROXY, "*")
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        // Otherwise giving up on a name that is being looked up would wait for the answer. Unknown before 7.87.
        try? set(CURLOPT_QUICK_EXIT, 1)
        guard let certificateAuthorities else { return }
        try set(CURLOPT_CAINFO, certificateAuthorities)
        // The system's folder of certificates would be trusted beside the file.
        try set(CURLOPT_CAPATH, nil)
    }

    /// What is asked for, and of whom.
    func describe(_ pending: PendingRequest) throws(CurlFailure) {
        try set(CURLOPT_URL, pending.url.text)
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(pending.request.limits.connectTimeout.wholeMilliseconds))
        if case .post(let body) = pending.request.method { try setBody(body) }
        let fields = pending.sendsFields ? pending.request.fields : []
        // A name with a colon alone takes away what libcurl would send, one with a semicolon has an empty value.
        let ownFields = ["accept", "content-type", "expect"].filter { name in !fields.contains { $0.name == name } }
        try setFields(
            ownFields.map { "\($0):" } + fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" })
    }
}
