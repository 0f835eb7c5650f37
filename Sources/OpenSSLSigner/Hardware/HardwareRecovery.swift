import OpenSSLCrypto

/// When a key in hardware is tried again, and with which PIN not.
struct HardwareRecovery {
    /// Milliseconds. Short at first, since most interruptions are.
    private static let delays = [250, 500, 1000, 2000, 4000, 5000]

    private var failures = 0
    /// The last PIN that each token has refused.
    private var refusals: [[[UInt8]]: Refusal] = [:]

    private struct Refusal {
        let pin: TokenPIN?
        let error: HardwareKeyError
        var permitsAnother = false
    }

    /// The milliseconds until the next attempt, after one that failed.
    mutating func delay() -> Int {
        defer { failures += 1 }
        return Self.delays[min(failures, Self.delays.count - 1)]
    }

    /// Whether the module should be initialised again even if keys sign: after 4 failures, then about each minute.
    var wantsReconnection: Bool { failures == 4 || failures > 0 && failures.isMultiple(of: 12) }

    /// Every key is open again.
    mutating func succeed() { failures = 0 }

    /// Permits a refused PIN once more: the token may have another one by now.
    mutating func forgetRefusal() {
        for token in refusals.keys { refusals[token]?.permitsAnother = true }
    }

    /// Calls `body` with the PIN, unless this token has refused that one: a token locks after some tries.
    mutating func using<Value>(
        _ pin: TokenPIN?, on token: [[UInt8]], _ body: (TokenPIN?) throws(HardwareKeyError) -> Value
    ) throws(HardwareKeyError) -> Value {
        let refusal = refusals[token]
        if let refusal, refusal.pin == pin, !refusal.permitsAnother { throw refusal.error }
        var pin = pin
        if let refusal, refusal.pin != pin { pin?.isInsteadOfRefused = true }
        do throws(HardwareKeyError) {
            let value = try body(pin)
            refusals[token] = nil
            return value
        } catch {
            if error.isRefusedPIN { refusals[token] = Refusal(pin: pin, error: error) }
            throw error
        }
    }
}
