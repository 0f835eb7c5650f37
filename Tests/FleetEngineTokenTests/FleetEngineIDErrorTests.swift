import FleetEngineToken
import Testing

@Suite struct FleetEngineIDErrorTests {
    @Test(
        arguments: [
            (.empty, "the id is empty; expected 1 to 64 characters"),
            (.tooLong(scalars: 65), "the id has 65 characters; expected at most 64"),
            (.notUTF8, "the id is not well-formed UTF-8 after percent-decoding; expected UTF-8 (RFC 3629)"),
            (
                .notNFC,
                "the id is not in Unicode Normalization Form C; expected that form, since an id is never rewritten"
            ),
            (.forbiddenCharacter("/"), "the id contains U+002F '/'; expected none of / : ? , #"),
            (.controlCharacter("\n"), "the id contains the control character U+000A; expected none"),
            (.controlCharacter("\u{9B}"), "the id contains the control character U+009B; expected none"),
            (.surroundingWhiteSpace(" "), "the id begins or ends with the white space U+0020; expected none around it"),
            (
                .surroundingWhiteSpace("\u{3000}"),
                "the id begins or ends with the white space U+3000; expected none around it"
            ),
            (.dotSegment, "the id is a dot segment; expected anything but \".\" and \"..\""),
            (.wildcard, "the id is the wildcard \"*\"; expected one id"),
        ] as [(FleetEngineIDError, String)])
    func `an error says what was wrong and what was expected`(error: FleetEngineIDError, sentence: String) {
        #expect(error.sentence == sentence)
    }

    @Test func `no sentence contains a raw character outside visible ASCII`() throws {
        for value in UInt32(0)..<0x3100 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for error in [FleetEngineIDError.controlCharacter(scalar), .surroundingWhiteSpace(scalar)] {
                #expect(error.sentence.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            }
        }
    }
}
