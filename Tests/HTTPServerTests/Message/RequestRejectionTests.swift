import Testing

@testable import HTTPServer

struct RequestRejectionTests {
    @Test(arguments: RequestRejection.allCases)
    func `a rejection has an error's status, a code of its own and one sentence`(rejection: RequestRejection) {
        #expect((400..<600).contains(rejection.status.rawValue))
        #expect(rejection.code.utf8.allSatisfy { Characters.letters.contains($0) || $0 == UInt8(ascii: "_") })
        #expect(rejection.code == rejection.code.lowercased())
        #expect(rejection.detail.hasSuffix("."))
        #expect(rejection.detail.first?.isUppercase == true)
    }

    @Test func `no two rejections share a code or a sentence`() {
        #expect(Set(RequestRejection.allCases.map(\.code)).count == RequestRejection.allCases.count)
        #expect(Set(RequestRejection.allCases.map(\.detail)).count == RequestRejection.allCases.count)
    }
}
