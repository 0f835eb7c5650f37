import COpenSSL
import HTTPServer

/// Counts the handshake records that a peer sends after its handshake: key updates (RFC 8446 section 4.6.3) and
/// attempts to renegotiate. OpenSSL reads any number of them without returning, and each costs as much as many
/// requests.
final class HandshakeRecords {
    private(set) var isExceeded = false
    /// A peer needs one for each 16 million records.
    private var quota = SecondQuota(16)

    /// Starts to watch a connection, which must not outlive this object.
    func watch(_ connection: OpaquePointer) {
        SSL_set_record_function(
            connection,
            { isSent, _, part, bytes, length, connection, records in
                // The record's type in TLS 1.2, its inner type in TLS 1.3.
                guard isSent == 0, part == SSL3_RT_HEADER || part == SSL3_RT_INNER_CONTENT_TYPE, length > 0,
                    bytes?.load(as: UInt8.self) == UInt8(SSL3_RT_HANDSHAKE), let records
                else { return }
                let isOne = Unmanaged<HandshakeRecords>.fromOpaque(records).takeUnretainedValue().countOne()
                // Reading ends with the next record.
                if isOne { SSL_set_shutdown(connection, SSL_get_shutdown(connection) | SSL_RECEIVED_SHUTDOWN) }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Counts one record; true if there were too many.
    private func countOne() -> Bool {
        isExceeded = isExceeded || !quota.take(at: ServerTime.now().monotonic)
        return isExceeded
    }
}
