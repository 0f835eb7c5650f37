import HTTPClient

/// For how long an answer is fresh, by its own word (RFC 9111 section 4.2).
enum CacheLifetime {
    /// Seconds of freshness that are left; 0 where the answer may not be kept, nil where it does not say.
    static func seconds(_ response: HTTPClientResponse) -> Int64? {
        let lists = response.values(of: "cache-control").joined(separator: ",").lowercased()
        let directives = lists.split(separator: ",").map { $0.filter { !" \t\"".contains($0) } }
        if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
        guard let text = directives.first(where: { $0.hasPrefix("max-age=") })?.dropFirst("max-age=".count),
            let age = Int64(text)
        else { return nil }
        // What an intermediary kept is older than it looks (section 5.1).
        let past = response.values(of: "age").first.flatMap { Int64($0) } ?? 0
        return max(0, min(age, 1 << 31) - max(0, min(past, 1 << 31)))
    }
}
