import COpenSSL

/// A call of OpenSSL that failed.
package struct OpenSSLFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was attempted, such as "sign".
    package let operation: String
    /// OpenSSL's reasons, oldest first; they are fixed texts and hold nothing of a key.
    package let reason: String

    /// One sentence.
    package var sentence: String { "OpenSSL could not \(operation): \(reason)" }
}

/// OpenSSL's queue of errors, one for each thread: emptied before a call and drained after it fails, so that a stale
/// entry never blames the next call.
package enum OpenSSLErrorQueue {
    /// Forgets what earlier calls left.
    package static func clear() {
        ERR_clear_error()
    }

    /// The failure of the operation, told by all that stands in the queue.
    package static func failure(to operation: String) -> OpenSSLFailure {
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            let text = ERR_reason_error_string(code).map { String(cString: $0) }
            reasons.append(text ?? "error \(String(code, radix: 16))")
        }
        return OpenSSLFailure(
            operation: operation, reason: reasons.isEmpty ? "no reason given" : reasons.joined(separator: ", "))
    }
}

extension OpenSSLFailure {
    /// The sentence.
    package var description: String { sentence }
}
