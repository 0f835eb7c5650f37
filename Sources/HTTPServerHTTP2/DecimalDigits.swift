/// A number in decimal digits, without an allocation.
struct DecimalDigits {
    private var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    private var start = 24

    init(_ number: Int) {
        var rest = number.magnitude
        var start = start
        withUnsafeMutableBytes(of: &digits) { digits in
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
        }
        self.start = start
    }

    mutating func withText<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        let start = start
        return withUnsafeBytes(of: &digits) { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }
}
