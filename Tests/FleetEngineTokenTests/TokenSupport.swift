import FleetEngineToken
import Foundation
import TestSupport
import Testing

/// A signer that records what it was asked to sign; its signature is the bytes 0 to 255.
final class RecordingSigner: TokenSigner {
    let account: String
    let keyID: String
    private let kept = Locked<[[UInt8]]>([])

    init(account: String = "rider@some-project.iam.gserviceaccount.com", keyID: String = "0123456789abcdef") {
        self.account = account
        self.keyID = keyID
    }

    var messages: [[UInt8]] { kept.withLock { $0 } }

    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        kept.withLock { $0.append(message) }
        return Array(0...255)
    }
}

/// A token decoded with Foundation.
struct DecodedToken {
    let header: [String: Any]
    let payload: [String: Any]
    let signature: [UInt8]
    let signingInput: [UInt8]

    init(_ token: MintedToken) throws {
        let parts = token.jwt.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        header = try #require(try JSONSerialization.jsonObject(with: Data(Self.decode(parts[0]))) as? [String: Any])
        payload = try #require(try JSONSerialization.jsonObject(with: Data(Self.decode(parts[1]))) as? [String: Any])
        signature = try Self.decode(parts[2])
        signingInput = Array(parts[0] + [UInt8(ascii: ".")] + parts[1])
    }

    static func decode(_ part: some Collection<UInt8>) throws -> [UInt8] {
        try #require(part.allSatisfy { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") })
        let text = String(decoding: part, as: UTF8.self)
            .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Array(try #require(Data(base64Encoded: padded)))
    }
}
