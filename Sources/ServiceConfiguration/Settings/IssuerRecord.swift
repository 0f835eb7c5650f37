import CallerAccess
import HTTPClient
import OpenSSLCrypto

/// One of `issuers`, as a file gives it.
enum IssuerRecord {
    static let example = """
        - issuer: https://id.example.com
          audiences: [token-provider]
          algorithms: [RS256]
          keys: discovery
          type: at+jwt
          principal: sub
          leeway: 60s
          keep_keys: 24h
        """

    static func read(_ record: SettingRecord) throws(SettingFailure) -> Configuration.Issuer {
        var reader = RecordReader(record)
        reader.ask("issuer")
        let trustDomain = reader.value("spiffe_trust_domain", .one(.text("the name of a SPIFFE trust domain")))
        let isSPIFFE = reader.has("spiffe_trust_domain")
        let issuer = isSPIFFE ? trustDomain.map(SPIFFEID.own) : reader.required("issuer", .one(.issuer))
        let audiences = reader.required("audiences", .list(of: .text("what aud may hold"), allowsNone: false))
        let audienceClaim = reader.value("audience_claim", .one(.text("the name of a claim"))) ?? "aud"
        let algorithms = reader.required("algorithms", .list(of: ScalarForm<JWSAlgorithm>.word, allowsNone: false))
        let tenants = reader.value("tenants", .list(of: .tenant, allowsNone: false))
        let plainHosts: [String]? = reader.value("allow_plain_http", .one(.boolean)) == true ? nil : []
        let keys = keys(of: issuer, plainTo: plainHosts, &reader)
        let keysTokenFile = reader.value("keys_token_file", .one(.secretPath))
        let type = reader.value("type", .one(.text("what typ must be")))
        let principal = reader.value("principal", .claimPath) ?? .subject
        let header = reader.value("header", .one(.headerName))
        let leeway = reader.value("leeway", .one(.seconds(0...IssuerPolicy.maxLeeway))) ?? 60
        let keepKeys = reader.value("keep_keys", .one(.seconds(60...30 * 86_400))) ?? 86_400
        if isSPIFFE {
            for key in ["issuer", "tenants", "audience_claim", "type", "principal"] where reader.has(key) {
                reader.refuse(key, "has no meaning for JWT-SVIDs; expected spiffe_trust_domain without it")
            }
        }
        guard let issuer, let audiences, let algorithms, tenants != nil || !reader.has("tenants") else {
            return try reader.finish { nil }
        }
        let policy = reader.checked { () throws(IssuerPolicyError) in
            if let trustDomain {
                return try IssuerPolicy.spiffe(
                    trustDomain, audiences: audiences, algorithms: algorithms, leeway: leeway,
                    header: header?.lowercased())
            }
            return try IssuerPolicy(
                issuer: issuer, audiences: audiences, algorithms: algorithms, leeway: leeway, type: type,
                principal: principal, audienceClaim: audienceClaim, header: header?.lowercased(),
                tenants: tenants ?? [])
        } sentence: {
            $0.sentence
        }
        return try reader.finish {
            guard let policy, let keys else { return nil }
            return Configuration.Issuer(policy: policy, keys: keys, keysTokenFile: keysTokenFile, keepKeys: keepKeys)
        }
    }

    /// Discovery unless `keys` says otherwise; nil, with the reason noted, if keys cannot be found that way. Plain http is
    /// allowed to these hosts, or all.
    private static func keys(
        of issuer: String?, plainTo hosts: [String]?, _ reader: inout RecordReader
    ) -> Configuration.Issuer.KeySource? {
        if reader.has("keys"), reader.text("keys") != "discovery" {
            return reader.value("keys", .one(.keySource(plainTo: hosts)))
        }
        reader.ask("keys")
        guard let issuer else { return nil }
        // OpenID Connect Discovery 1.0 section 3.
        guard !issuer.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            reader.refuse(
                nil,
                "discovery needs an issuer that is a URL without query and fragment; expected such an issuer, or keys: "
                    + "URL or FILE")
            return nil
        }
        // Entra ID has the same metadata for the tenants of all organizations, and that of both versions at one host.
        let part = IssuerPolicy.tenantPart
        let named = issuer.replacing("//sts.windows.net/\(part)", with: "//login.microsoftonline.com/\(part)")
            .replacing(part, with: "organizations")
        let base = named.hasSuffix("/") ? String(named.dropLast()) : named
        return reader.checked { () throws(OutgoingURLError) in
            .discovery(try OutgoingURL(plain: base + "/.well-known/openid-configuration", toHosts: hosts))
        } sentence: {
            "discovery needs an issuer that is a URL: \($0.sentence); expected such an issuer, or keys: URL or FILE"
        }
    }
}

extension ScalarForm where Value == Configuration.Issuer.KeySource {
    /// Where a JWK set is: a URL, or a file, whose relative path starts from the folder of the text.
    static func keySource(plainTo hosts: [String]?) -> Self {
        ScalarForm("discovery, the https URL of a JWK set, or the path of its file") { (text) throws(ValueProblem) in
            if let path = try ScalarForm<String>.path(unlessURL: text) { return .file(path) }
            do throws(OutgoingURLError) { return .url(try OutgoingURL(plain: text.text, toHosts: hosts)) } catch {
                // It may hold a secret.
                throw ValueProblem("is not a URL for keys: \(error.sentence)", hidingText: true)
            }
        }
    }
}

extension ScalarForm where Value == String {
    /// The hosts of Entra ID in its clouds.
    private static let entraHosts: Set<Substring> = [
        "login.microsoftonline.com", "login.microsoftonline.us", "login.partner.microsoftonline.cn",
        "login.chinacloudapi.cn", "sts.windows.net", "sts.chinacloudapi.cn",
    ]

    /// The id of one tenant, as Entra ID writes it. `common`, a domain or `*` is never in a token.
    fileprivate static var tenant: Self {
        ScalarForm("Entra ID's id of one tenant, such as 11111111-2222-3333-4444-555555555555") {
            (text) throws(ValueProblem) in
            let groups = text.text.split(separator: "-", omittingEmptySubsequences: false)
            guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
                groups.joined().utf8.allSatisfy("0123456789abcdef".utf8.contains)
            else { throw ValueProblem("is not a GUID in lower case") }
            return text.text
        }
    }

    /// The name of an issuer.
    fileprivate static var issuer: Self {
        ScalarForm("what iss holds") { (text) throws(ValueProblem) in
            let parts = text.text.split(separator: "/")
            let tenant = parts.dropFirst(2).first ?? ""
            let namesNone =
                ["common", "organizations", "consumers"].contains(tenant.lowercased())
                || tenant.hasPrefix("{") && tenant != IssuerPolicy.tenantPart
            guard !namesNone || !entraHosts.contains(parts[1]) else {
                throw ValueProblem(
                    "names no tenant, and each token does: write the tenant's id for \(tenant), or "
                        + "\(IssuerPolicy.tenantPart) and tenants")
            }
            return try visible(text.text)
        }
    }
}
