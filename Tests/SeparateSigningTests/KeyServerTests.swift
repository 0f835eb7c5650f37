import FleetEngineToken
import Testing

@testable import SeparateSigning

/// What a process with keys answers.
@Suite struct KeyServerTests {
    private struct Signer: TokenSigner {
        let account = "a@b"
        let keyID: String

        func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
            guard keyID != "broken" else { throw SigningError(reason: "broken") }
            return Array(keyID.utf8) + message
        }
    }

    private let signers: [(any TokenSigner)?] = [Signer(keyID: "a"), nil, Signer(keyID: "broken"), Signer(keyID: "b")]

    @Test func `each message is signed with its own key`() {
        let answer = KeyServer.answer(SigningRequest([(3, [1]), (0, [2]), (3, [])]), signers)
        #expect(answer.signatures == [[UInt8(ascii: "b"), 1], [UInt8(ascii: "a"), 2], [UInt8(ascii: "b")]])
        #expect(answer.fault == nil)
    }

    @Test func `keys that are unknown, no keys or broken give no signature`() {
        let answer = KeyServer.answer(SigningRequest([(1, [1]), (9, [1]), (2, [1]), (0, [1])]), signers)
        #expect(answer.signatures == [nil, nil, nil, [UInt8(ascii: "a"), 1]])
    }
}
