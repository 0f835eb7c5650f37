import StrictJSON
import Testing

@testable import GoogleCredentials

struct TextEncodingTests {
    @Test func `only unreserved characters are kept, and digits are upper case`() {
        let all = (0...UInt8.max).map { $0 }
        let encoded = PercentEncoding.encode(all)
        #expect(encoded.hasPrefix("%00%01"))
        #expect(encoded.contains("%2C-.%2F0123456789%3A%3B%3C%3D%3E%3F%40ABC"))
        #expect(encoded.contains("XYZ%5B%5C%5D%5E_%60abc"))
        #expect(encoded.hasSuffix("%FE%FF"))
        #expect(PercentEncoding.decode(Array(encoded.utf8)) == all)
        #expect(PercentEncoding.encode("a/b c".utf8, keeping: "/") == "a/b%20c")
    }

    @Test func `a form encodes names and values and keeps their order`() {
        #expect(FormBody.encode([("b", "1 2"), ("a&", "x=y+z%"), ("é", "")]) == "b=1+2&a%26=x%3Dy%2Bz%25&%C3%A9=")
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("???>>>", "Pz8/Pj4+"),
    ])
    func `Base64 has the standard alphabet and padding`(text: String, encoded: String) {
        #expect(Base64.encode(text) == encoded)
    }
}
