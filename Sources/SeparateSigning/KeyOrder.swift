import StrictJSON

/// How all processes with keys of a daemon load them, and what for. It is fixed before the daemon can be reached: an
/// attacker who takes it over later cannot name a library for them to run, or free them of their sandbox.
package struct KeyTerms: Hashable, Sendable {
    /// For whom tokens are signed.
    package var audiences: [String]
    package var allowsDefaultServiceAccounts = false
    /// Hosts that the files may name, besides Google's.
    package var allowedHosts: [String] = []
    package var universeDomain: String
    /// `signing.batch` as it is configured.
    package var batch: String
    /// Whether the processes confine themselves.
    package var isConfined: Bool

    package init(audiences: [String], universeDomain: String, batch: String, isConfined: Bool) {
        (self.audiences, self.universeDomain) = (audiences, universeDomain)
        (self.batch, self.isConfined) = (batch, isConfined)
    }
}

/// Which keys a process is to load.
package struct KeyOrder: Hashable, Sendable {
    /// Files of credentials, or `application_default`.
    package let credentials: [String]

    package init(_ credentials: [String]) { self.credentials = credentials }
}

/// The keys that a process has loaded.
package struct KeyReport: Equatable, Sendable {
    /// What one of the credentials is.
    package enum Entry: Equatable, Sendable {
        case key(Key)
        /// Credentials without a key that signs; the process that asked reads them itself.
        case other
        /// Why the file cannot be used, in one sentence.
        case failure(String)
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

    /// In the order in which they were asked for.
    package var entries: [Entry] = []
    package var warnings: [String] = []
    /// How tokens are signed: the predicate of a sentence.
    package var sentence = ""
    /// Whether several are signed at once.
    package var signsBatches = false

    package init() {}
}

extension KeyTerms {
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("audiences", audiences)
            json.member("allowed_hosts", allowedHosts)
            json.member("universe_domain", universeDomain)
            json.member("batch", batch)
            json.member("default_accounts", Int64(allowsDefaultServiceAccounts ? 1 : 0))
            json.member("confined", Int64(isConfined ? 1 : 0))
        }
        return json.bytes
    }

    init?(json: [UInt8]) {
        guard case .object(let members)? = try? JSONValue(parsing: json),
            let audiences = members["audiences"]?.texts, let hosts = members["allowed_hosts"]?.texts,
            let domain = members["universe_domain"]?.text, let batch = members["batch"]?.text
        else { return nil }
        self.init(
            audiences: audiences, universeDomain: domain, batch: batch,
            isConfined: members["confined"] != .integer(0))
        allowedHosts = hosts
        allowsDefaultServiceAccounts = members["default_accounts"] == .integer(1)
    }
}

extension KeyOrder {
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { $0.member("credentials", credentials) }
        return json.bytes
    }

    init?(json: [UInt8]) {
        guard case .object(let members)? = try? JSONValue(parsing: json),
            let credentials = members["credentials"]?.texts
        else { return nil }
        self.init(credentials)
    }
}

extension KeyReport {
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("entries")
            json.array { json in for entry in entries { entry.write(to: &json) } }
            json.key("warnings")
            json.array { json in for warning in warnings { json.value(warning) } }
            json.member("sentence", sentence)
            json.member("batches", Int64(signsBatches ? 1 : 0))
        }
        return json.bytes
    }

    init?(json: [UInt8]) {
        guard case .object(let members)? = try? JSONValue(parsing: json),
            case .array(let entries)? = members["entries"], let warnings = members["warnings"]?.texts,
            let sentence = members["sentence"]?.text
        else { return nil }
        self.entries = entries.compactMap(Entry.init)
        guard self.entries.count == entries.count else { return nil }
        (self.warnings, self.sentence, signsBatches) = (warnings, sentence, members["batches"] == .integer(1))
    }
}

extension KeyReport.Entry {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .key(let key):
                json.member("account", key.account)
                json.member("key_id", key.keyID)
                json.member("public_key", key.publicKey)
                json.member("source", key.source)
            case .other: break
            case .failure(let sentence): json.member("failure", sentence)
            }
        }
    }

    fileprivate init?(_ json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        if members.isEmpty {
            self = .other
        } else if let sentence = members["failure"]?.text {
            self = .failure(sentence)
        } else if let account = members["account"]?.text, let keyID = members["key_id"]?.text,
            let publicKey = members["public_key"]?.text, let source = members["source"]?.text
        {
            self = .key(KeyReport.Key(account: account, keyID: keyID, publicKey: publicKey, source: source))
        } else {
            return nil
        }
    }
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

    fileprivate var texts: [String]? {
        guard case .array(let elements) = self else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }
}
