import Testing

/// What `.ci/run` runs under a sanitizer too: it reads the tags from the lines that begin with `@Suite`.
extension Tag {
    /// Changes what threads share while they serve: settings, keys, callers, files of the audit log.
    @Tag static var threadSanitizer: Self
    /// Sends bytes that the daemon, or a C library for it, parses.
    @Tag static var addressSanitizer: Self
}
