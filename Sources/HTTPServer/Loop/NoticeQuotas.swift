/// How often the operator is told of what goes wrong: of each kind apart, so that whoever knocks at the port of TLS with
/// anything else does not hide whose certificate was refused.
struct NoticeQuotas {
    /// Of the server itself.
    var server = SecondQuota(1)
    /// Of handshakes that failed.
    var handshakes = SecondQuota(1)
    /// Of certificates that were refused.
    var certificates = SecondQuota(10)
    /// Of connections that were ended.
    var connections = SecondQuota(1)
}
