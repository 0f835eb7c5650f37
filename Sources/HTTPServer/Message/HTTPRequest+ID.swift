extension HTTPRequest {
    /// A request's id as the answer's `X-Request-ID` has it: sixteen hexadecimal digits.
    public static func text(ofID requestID: UInt64) -> String {
        let digits: StaticString = "0123456789abcdef"
        return String(unsafeUninitializedCapacity: 16) { text in
            for place in 0..<16 { text[place] = digits.utf8Start[Int(requestID >> UInt64(60 - 4 * place) & 15)] }
            return 16
        }
    }
}
