import COpenSSL

/// A call to OpenSSL that failed.
package struct OpenSSLFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was attempted, such as "sign".
    package let operation: String
    /// OpenSSL's reasons, oldest first. They are fixed texts and never hold key material.
    package let reason: String

    package var sentence: String { "OpenSSL could not \(operation): \(reason)" }
}

/// OpenSSL's error queue, one for each thread. It is emptied before a call and drained after a failure, so that an old
/// entry is never reported for the next call.
package enum OpenSSLErrorQueue {
    /// Drops the entries of earlier calls.
    package static func clear() {
        ERR_clear_error()
    }

    /// The failure of the operation, with all reasons in the queue, which is empty afterwards.
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
    package var description: String { sentence }
}
