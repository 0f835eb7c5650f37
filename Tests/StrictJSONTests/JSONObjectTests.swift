import Testing

@testable import StrictJSON

@Suite struct JSONObjectTests {
    private func object(_ count: Int) -> JSONObject {
        var object: JSONObject = [:]
        for number in 0..<count {
            let isNew = object.add(JSONName("name-\(number)"), .integer(Int64(number)))
            #expect(isNew)
        }
        return object
    }

    @Test(arguments: [0, 1, 15, 16, 17, 18, 400])
    func `each member is found by its exact name, whatever the count`(count: Int) {
        let object = object(count)
        #expect(object.count == count && object.isEmpty == (count == 0))
        for number in 0..<count { #expect(object[JSONName("name-\(number)")] == .integer(Int64(number))) }
        for name in ["name-\(count)", "name-", "Name-0", "", "name-0\u{0}"] { #expect(object[JSONName(name)] == nil) }
        #expect(object.names.map(\.text) == (0..<count).map { "name-\($0)" })
    }

    @Test(arguments: [1, 16, 17, 400])
    func `keeping some names keeps only those members, in their given order`(count: Int) {
        let object = object(count)
        let last = JSONName("name-\(count - 1)")
        let kept = object.keeping([last, JSONName("name-\(count)"), "name-0", last])
        #expect(kept.names.map(\.text) == (count == 1 ? ["name-0"] : [last.text, "name-0"]))
        #expect(kept["name-0"] == .integer(0) && kept[last] == .integer(Int64(count - 1)))
        #expect(object.keeping(["name", "Name-0"]).isEmpty && object.keeping([]).isEmpty)
    }

    @Test(arguments: [1, 16, 17, 400])
    func `a name that exists is not added again`(count: Int) {
        var object = object(count)
        for number in [0, count - 1] {
            let isNew = object.add(JSONName("name-\(number)"), .null)
            #expect(!isNew)
        }
        #expect(object == self.object(count))
    }

    @Test func `names are distinguished by every byte and by their length`() {
        let names = ["", "\u{0}", "\u{0}\u{0}", "abcdefgh", "abcdefgh\u{0}", "abcdefghi", "abcdefghj", "K", "\u{212A}"]
        var object: JSONObject = [:]
        for (number, name) in names.enumerated() {
            let isNew = object.add(JSONName(name), .integer(Int64(number)))
            #expect(isNew)
        }
        for (number, name) in names.enumerated() { #expect(object[JSONName(name)] == .integer(Int64(number))) }
    }

    @Test func `objects are equal in any order, unless a member differs`() {
        let one: JSONObject = ["a": .integer(1), "b": .null]
        #expect(one == ["b": .null, "a": .integer(1)])
        let others: [JSONObject] = [
            ["a": .integer(1)], ["a": .integer(2), "b": .null], ["a": .integer(1), "c": .null],
        ]
        for other in others { #expect(one != other) }
    }
}
