/// Bytes that OpenSSL 3.0 holds for a connection, by what it does: measured with CRYPTO_set_mem_functions, and rounded up
/// for what the allocator needs besides.
enum TLSFootprint {
    /// Before the peer has sent anything.
    private static let silent = 9_728
    /// During the handshake: 7.6 kB for the connection, a record of 16.7 kB, messages of up to 16 kB, and 8 kB for what
    /// is sent.
    private static let handshake = 58_368
    /// Messages of so many bytes are in that.
    private static let usualHandshake = 16_384
    /// Between two records.
    static let secure = 14_848
    /// A record that has come in part, or that the peer has not taken yet.
    static let record = 17_408
    /// The certificates of a client.
    static let client = 8_192

    /// During a handshake of which so many bytes have come; OpenSSL asks for a third more than a message takes.
    static func handshake(of bytes: Int) -> Int {
        bytes == 0 ? silent : handshake + max(0, bytes - usualHandshake) / 3 * 4
    }
}
