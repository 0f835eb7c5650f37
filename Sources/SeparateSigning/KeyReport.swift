import StrictJSON

/// The keys that a process has loaded.
package struct KeyReport: Equatable, Sendable {
    /// What one of the credentials is.
    package enum Entry: Equatable, Sendable {
        case key(Key)
        /// Credentials without a key that signs; the process that asked reads them itself.
        case other
        /// Why the file cannot be used, in one sentence: of any words before the daemon can be reached, then one of `Failure`.
        case failure(String)
    }

    /// What a daemon that may have been taken over learns of a file that cannot be used.
    package enum Failure: String, CaseIterable, Sendable {
        case missing = "does not exist"
        case unusable = "cannot be used; expected what token-provider check accepts, which tells more"
    }

    package struct Key: Equatable, Sendable {
        package let account: String
        package let keyID: String
        /// The public half as PEM.
        package let publicKey: String
        /// How the credentials were found, such as a file's path.
        package let source: String

        package init(account: String, keyID: String, publicKey: String, source: String) {
            (self.account, self.keyID, self.publicKey, self.source) = (account, keyID, publicKey, source)
        }
    }

    /// In the order of the terms' keys.
    package var entries: [Entry] = []
    package var warnings: [String] = []
    /// How tokens are signed: the predicate of a sentence.
    package var sentence = ""
    /// Whether several are signed at once.
    package var signsBatches = false

    package init() {}
}

extension KeyReport {
    var json: [UInt8] {
        JSONWriter.object { json in
            json.member("entries", entries) { json, entry in
                switch entry {
                case .key(let key):
                    json.member("account", key.account)
                    json.member("key_id", key.keyID)
                    json.member("public_key", key.publicKey)
                    json.member("source", key.source)
                case .other: break
                case .failure(let sentence): json.member("failure", sentence)
                }
            }
            json.member("warnings", warnings)
            json.member("sentence", sentence)
            json.member("batches", signsBatches)
        }
    }

    init?(json text: [UInt8]) {
        guard let json = try? JSONValue(parsing: text), let entries = json["entries"]?.elements(Entry.init),
            let warnings = json["warnings"]?.texts, let sentence = json["sentence"]?.text
        else { return nil }
        (self.entries, self.warnings) = (entries, warnings)
        (self.sentence, signsBatches) = (sentence, json["batches"] == .bool(true))
    }
}

extension KeyReport.Entry {
    fileprivate init?(_ json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        if members.isEmpty {
            self = .other
        } else if let sentence = json["failure"]?.text {
            self = .failure(sentence)
        } else if let account = json["account"]?.text, let keyID = json["key_id"]?.text,
            let publicKey = json["public_key"]?.text, let source = json["source"]?.text
        {
            self = .key(KeyReport.Key(account: account, keyID: keyID, publicKey: publicKey, source: source))
        } else {
            return nil
        }
    }
}
