import Testing

@testable import HTTPServerTLS

/// Which certificates are offered for a name; no real certificates are needed.
struct CertificateChoiceTests {
    @Test func `one certificate per algorithm is offered, exact names before wildcards`() {
        let choice = CertificateChoice([
            (["*.example.com"], .rsa), (["a.example.com", "other.test"], .ecdsa), (["a.example.com"], .rsa),
            (["a.example.com"], .rsa),
        ])
        #expect(choice.offer(for: "a.example.com") == [1, 2])
        #expect(choice.offer(for: "A.Example.COM") == [1, 2])
        #expect(choice.offer(for: "b.example.com") == [0])
        #expect(choice.offer(for: "other.test") == [1])
    }

    @Test(arguments: [("a.test.", [0]), ("A.Test.", [0]), ("b.wild.test.", [1]), ("a.test..", nil), (".a.test.", nil)])
    func `one dot at the end of a name is ignored`(name: String, places: [Int]?) {
        let choice = CertificateChoice([(["a.test"], .rsa), (["*.wild.test"], .rsa)])
        #expect(choice.offer(for: name) == places)
    }

    @Test func `a wildcard certificate of the other algorithm completes an exact match`() {
        let choice = CertificateChoice([(["*.example.com"], .rsa), (["a.example.com"], .ecdsa)])
        #expect(choice.offer(for: "a.example.com") == [1, 0])
        #expect(choice.fallback == [0])
    }

    @Test(arguments: ["example.com", "a.b.example.com", ".example.com", "com", "", ".", "a.example.com..", "*"])
    func `a wildcard matches exactly one label`(name: String) {
        #expect(CertificateChoice([(["*.example.com"], .rsa)]).offer(for: name) == nil)
    }

    @Test func `without a name the first certificates that share a name are offered`() {
        let choice = CertificateChoice([
            (["a.test"], .ecdsa), (["b.test"], .rsa), (["c.test", "a.test"], .rsa), (["a.test"], .rsa),
        ])
        #expect(choice.fallback == [0, 2])
        #expect(CertificateChoice([([], .rsa), ([], .ecdsa)]).fallback == [0])
    }
}
