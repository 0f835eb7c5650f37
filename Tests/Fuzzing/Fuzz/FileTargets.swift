import StrictYAML

@testable import AuditLog
@testable import GoogleCredentials
@testable import OpenSSLCrypto
@testable import OpenSSLSigner
@testable import ServiceConfiguration

/// A whole configuration. Reading it twice has the same result; each refusal is one line about a place in the file, and
/// repeats no secret.
enum ConfigurationTarget {
    private static let environment = ["GOOGLE_APPLICATION_CREDENTIALS": "/keys/google.json"]
    /// Settings whose values no message repeats.
    private static let secrets: Set = ["api_keys", "url", "credentials", "proxy", "keys_token_file"]

    static func run(_ input: [UInt8]) {
        let first = result(input)
        require(first == result(input), "two results")
        for sentence in first {
            require(sentence.isOneLine, sentence)
            // A key that is repeated may be in a part that is dropped.
            let isAboutKey = sentence.contains("the key \"")
            require(!sentence.contains("CANARY") || isAboutKey || mayShow(input), sentence)
        }
        let document = ConfigurationDocument(name: "f", bytes: input)
        let lines = input.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
        for case .file(_, let position) in document.problems.map(\.origin) {
            require((1...lines + 1).contains(position.line) && position.column > 0, "\(position) of \(lines)")
        }
    }

    /// Whether a message may repeat the word: it is in a key, or in a value that no one would take for a secret.
    private static func mayShow(_ input: [UInt8]) -> Bool {
        var root: YAMLNode?
        do throws(YAMLErrors) { root = try StrictYAMLDocument.parse(input) } catch { root = error.remainder }
        // Without a remainder the message is libyaml's, about a key or a character.
        return root.map { mayShow($0, of: "") } ?? false
    }

    private static func mayShow(_ node: YAMLNode, of key: String) -> Bool {
        switch node.value {
        case .null: false
        case .scalar(let text, _): text.contains("CANARY") && !secrets.contains(key) && !hasPassword(text)
        case .sequence(let nodes): nodes.contains { mayShow($0, of: key) }
        case .mapping(let entries): entries.contains { $0.key.contains("CANARY") || mayShow($0.value, of: $0.key) }
        }
    }

    private static func hasPassword(_ text: String) -> Bool {
        text.wholeMatch(of: /[^:]*:\/\/[^\/?#]*:[^\/?#]*@.*/.dotMatchesNewlines()) != nil
    }

    private static func result(_ input: [UInt8]) -> [String] {
        do throws(ConfigurationErrors) {
            let document = ConfigurationDocument(name: "f", bytes: input)
            return try Configuration.read(document, flags: ConfigurationFlags(), environment: environment)
                .configuration().warnings
        } catch {
            require(!error.sentences.isEmpty, "a refusal without a reason")
            return error.sentences
        }
    }
}

/// Files of keys: PEM, JWK sets and service accounts. A key that is read is the same when it is written; no refusal
/// repeats sixteen characters of the file in a row that may be of a key.
enum KeyTarget {
    static func run(_ input: [UInt8]) {
        do throws(CredentialError) {
            let keys = try VerificationKeys(content: input, source: "f")
            for key in keys.keys {
                guard let modulus = optional({ () throws(PublicKeyError) in try key.key.modulus() }),
                    let pem = optional({ () throws(OpenSSLFailure) in try key.key.object.pem() })
                else { continue }
                let again = optional { () throws(CredentialError) in
                    try VerificationKeys(content: Array(pem.utf8), source: "f")
                }
                let other = again?.keys.first.flatMap { key in
                    optional { () throws(PublicKeyError) in try key.key.modulus() }
                }
                require(other == modulus, "another key after \(pem)")
            }
        } catch {
            require(error.sentence.isOneLine, error.sentence)
            for word in input.text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && !"+/".contains($0) })
            where word.utf8.count >= 16 && word.contains(where: \.isNumber) && word.contains(where: \.isUppercase) {
                require(!error.sentence.contains(word), "\(error.sentence) repeats \(word)")
            }
        }
    }
}

/// Application Default Credentials. What is accepted shows nothing secret and sends nothing to other hosts than Google's;
/// no refusal repeats a secret.
enum CredentialsTarget {
    static func run(_ input: [UInt8]) {
        do throws(CredentialError) {
            let file = try CredentialsFile(
                parsing: input, source: "f", allowedHosts: ["sts.example"], universeDomain: "googleapis.com")
            var dumped = ""
            dump(file, to: &dumped)
            for text in [file.description, String(reflecting: file), dumped] {
                require(!text.contains("CANARY"), text)
            }
            for host in hosts(file) {
                require(host == "sts.example" || host == "googleapis.com" || host.hasSuffix(".googleapis.com"), host)
            }
        } catch {
            require(error.sentence.isOneLine && !error.sentence.contains("CANARY"), error.sentence)
        }
    }

    private static func hosts(_ file: CredentialsFile) -> [String] {
        switch file {
        case .serviceAccount(let file): [file.tokenURL.host]
        case .authorizedUser(let user): [user.tokenURL.host]
        case .externalAccount(let account):
            [account.tokenURL.host] + (account.impersonation.map { [$0.host] } ?? [])
        case .impersonatedServiceAccount(let target): [target.url.host] + hosts(target.source)
        }
    }
}

/// The audit log's reader. Its verdict does not depend on how the bytes are cut; a log without a fault has one after any
/// byte of it changes, and after any line but its last ones is removed.
enum AuditTarget {
    static func run(_ input: [UInt8]) {
        guard let chunk = input.first else { return }
        let bytes = Array(input.dropFirst())
        let whole = verified(bytes, chunk: max(1, bytes.count))
        require(verified(bytes, chunk: Int(chunk) + 1) == whole, "another verdict in chunks of \(Int(chunk) + 1)")
        guard whole.fault == nil, whole.lines > 0 else { return }
        for place in stride(from: Int(chunk), to: bytes.count, by: 97) {
            var changed = bytes
            changed[place] ^= 1 << (chunk & 7)
            require(verified(changed, chunk: changed.count).fault != nil, "a changed byte at \(place) is no fault")
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        for removed in lines.indices.dropLast() {
            var rest = lines
            rest.remove(at: removed)
            let bytes = rest.flatMap { $0 + [UInt8(ascii: "\n")] }
            let verdict = verified(bytes, chunk: bytes.count)
            require(verdict.fault != nil || removed == 0, "line \(removed + 1) can be removed")
        }
    }

    private static func verified(_ bytes: [UInt8], chunk: Int) -> AuditVerification {
        var verifier = AuditVerifier()
        verifier.begin("f")
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            verifier.read(Array(bytes[start..<min(start + chunk, bytes.count)]))
        }
        return verifier.finish()
    }
}
