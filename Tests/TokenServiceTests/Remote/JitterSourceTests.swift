import Testing

@testable import TokenService

struct JitterSourceTests {
    @Test func `numbers are spread from 0 up to 1 and differ`() {
        let source = JitterSource()
        let numbers = (0..<10_000).map { _ in source.next() }
        #expect(numbers.allSatisfy { (0..<1).contains($0) })
        #expect(Set(numbers).count > 9_990)
        // Six standard deviations.
        #expect((4_700...5_300).contains(numbers.count { $0 < 0.5 }))
        #expect(JitterSource().next() != JitterSource().next())
    }
}
