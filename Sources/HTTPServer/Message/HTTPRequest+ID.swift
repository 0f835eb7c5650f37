extension HTTPRequest {
    /// A request's id as the answer's `X-Request-ID` has it: sixteen hexadecimal digits.
    public static func text(ofID requestID: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { text in
            for place in 0..<16 { text[place] = requestID.hexadecimalDigit(place) }
            return 16
        }
    }
}

extension UInt64 {
    /// One of a number's sixteen hexadecimal digits; place 0 is the highest.
    @inline(__always)
    func hexadecimalDigit(_ place: Int) -> UInt8 {
        let digits: StaticString = "0123456789abcdef"
        return digits.utf8Start[Int(self >> UInt64(60 - 4 * place) & 15)]
    }
}
