import TestSupport
import Foundation
import StrictJSON
import Testing

/// The parsing tests of JSONTestSuite (github.com/nst/JSONTestSuite, commit 1ef36fa, MIT License), each file's bytes in
/// base64url. The name says whether a parser must accept the text (y), must refuse it (n) or may do either (i).
@Suite struct JSONTestSuiteTests {
    /// Texts that RFC 8259 allows and we refuse, with the reason.
    private static let refused: [String: JSONError.Problem] = [
        "y_object_duplicated_key.json": .repeatedName,
        "y_object_duplicated_key_and_value.json": .repeatedName,
    ]

    /// Texts that a parser may accept, and we do: numbers beyond 64 bits or a Double, which are kept as they are written.
    private static let accepted: Set<String> = [
        "i_number_double_huge_neg_exp.json", "i_number_huge_exp.json", "i_number_neg_int_huge_exp.json",
        "i_number_pos_double_huge_exp.json", "i_number_real_neg_overflow.json", "i_number_real_pos_overflow.json",
        "i_number_real_underflow.json", "i_number_too_big_neg_int.json", "i_number_too_big_pos_int.json",
        "i_number_very_big_negative_int.json",
    ]

    private static let files = Result { () throws -> [String: [UInt8]] in
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let json = try Child.mustRun(["gzip", "-dc", folder.appending(path: "JSONTestSuite.json.gz").path])
        let files = try JSONDecoder().decode([String: String].self, from: Data(json.utf8))
        return try files.mapValues { try Base64URL.decode($0.utf8) }
    }

    @Test(arguments: [("y", 95), ("n", 188), ("i", 35)])
    func `texts are accepted and refused as the suite says`(kind: String, count: Int) throws {
        let files = try Self.files.get().filter { $0.key.hasPrefix(kind) }
        #expect(files.count == count)
        var accepted: Set<String> = []
        for (name, bytes) in files {
            do throws(JSONError) {
                _ = try JSONValue(parsing: bytes, maxDepth: JSONValue.deepest)
                accepted.insert(name)
            } catch {
                if kind == "y" { #expect(Self.refused[name] == error.problem, "\(name): \(error)") }
            }
        }
        switch kind {
        case "y": #expect(accepted.count == count - Self.refused.count)
        case "n": #expect(accepted.isEmpty)
        default: #expect(accepted == Self.accepted)
        }
    }
}
