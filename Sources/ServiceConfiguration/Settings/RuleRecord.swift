import CallerAccess
import FleetEngineToken

/// One of `rules`, as a file gives it.
enum RuleRecord {
    static let example = """
        - name: riders
          kinds: [consumer]
          issuers: [https://id.example.com]
          claims:
            - claim: groups
              contains: riders
          ids:
            tripID: {claim: trips}
        - name: dispatch
          kinds: [consumer, driver, server]
          api_keys: [dispatch]
          ids:
            tripID: any
            vehicleID: [vehicle-1, vehicle-2]
        - name: depots
          kinds: [driver]
          certificates: ["uri:spiffe://example.com/depot", "dns:depot.example.com"]
          ids:
            vehicleID: any
        - name: couriers
          kinds: [delivery_consumer]
          forward_auth: true
        """

    static func read(_ record: SettingRecord) throws(SettingFailure) -> AccessRule {
        var reader = RecordReader(record)
        let name = reader.required("name", .one(.text("the rule's name")))
        let kinds = reader.required("kinds", .list(of: ScalarForm<TokenKind>.word, allowsNone: false))
        let callers = callers(&reader)
        let asksBackEnd = reader.value("forward_auth", .one(.boolean)) ?? false
        let claims = reader.records("claims", expectation: "a list of claims, each with claim and equals or contains")
            .compactMap { claim in
                reader.noting { () throws(SettingFailure) in try ClaimRecord.read(claim) }
            }
        let ids = reader.record("ids", expectation: "a mapping of ids").flatMap { ids in
            reader.noting { () throws(SettingFailure) in try AllowedIDsRecord.read(ids) }
        }
        // Wrong ids are not reported as missing.
        let hasIDs = ids != nil || !reader.has("ids")
        guard let name, let kinds, hasIDs else { return try reader.finish { nil } }
        let rule = reader.checked { () throws(AccessRuleError) in
            try AccessRule(
                name: name, kinds: Set(kinds), callers: callers, claims: claims, ids: ids ?? [:],
                asksBackEnd: asksBackEnd)
        } sentence: {
            $0.sentence
        } culprit: {
            $0.ruleKey
        }
        return try reader.finish { rule }
    }

    private static func callers(_ reader: inout RecordReader) -> [Principal.Source] {
        let issuers = reader.value("issuers", .list(of: .text("an issuer"), allowsNone: false)) ?? []
        let apiKeys = reader.value("api_keys", .list(of: .text("an API key's name"), allowsNone: false)) ?? []
        let certificates = reader.value("certificates", .list(of: .certificateName, allowsNone: false)) ?? []
        return issuers.map { .jwt(issuer: $0) } + apiKeys.map { .apiKey(name: $0) }
            + certificates.map { .certificate($0) }
    }
}

/// One of a rule's `claims`.
enum ClaimRecord {
    static func read(_ record: SettingRecord) throws(SettingFailure) -> ClaimRequirement {
        var reader = RecordReader(record)
        let path = reader.required("claim", .claimPath)
        let literal = reader.value("equals", .one(.claimLiteral))
        let text = reader.value("contains", .one(.text("a text")))
        if reader.has("equals") == reader.has("contains") {
            reader.refuse(nil, "has both or neither of equals and contains; expected exactly one of them")
        }
        guard let path, (literal == nil) != (text == nil) else { return try reader.finish { nil } }
        let requirement = reader.checked { () throws(AccessRuleError) in
            if let literal { return try ClaimRequirement(path, equals: literal) }
            return try ClaimRequirement(path, contains: text ?? "")
        } sentence: {
            $0.sentence
        }
        return try reader.finish { requirement }
    }
}

/// A rule's `ids`: for each id that it allows any, a list, or a claim.
enum AllowedIDsRecord {
    static func read(_ record: SettingRecord) throws(SettingFailure) -> [IDName: AllowedIDs] {
        var reader = RecordReader(record)
        var ids: [IDName: AllowedIDs] = [:]
        for name in IDName.allCases {
            if reader.holdsMapping(name.rawValue) {
                ids[name] = reader.record(name.rawValue, expectation: ValueForm<AllowedIDs>.allowedIDsExpectation)
                    .flatMap { inner in
                        reader.noting { () throws(SettingFailure) in try claim(inner) }
                    }
            } else {
                ids[name] = reader.value(name.rawValue, .allowedIDs)
            }
        }
        return try reader.finish { ids }
    }

    private static func claim(_ record: SettingRecord) throws(SettingFailure) -> AllowedIDs {
        var reader = RecordReader(record)
        let path = reader.required("claim", .claimPath)
        return try reader.finish { path.map { .claim($0) } }
    }
}

extension AccessRuleError {
    /// The key of a rule that the error is about; nil if it is about the rule as a whole.
    fileprivate var ruleKey: String? {
        switch self {
        case .malformedName, .repeatedName: "name"
        case .noKind, .kindWithoutID: "kinds"
        case .noLiteral, .idOfNoKind: "ids"
        case .claimsWithoutTokens: "claims"
        case .malformedCaller, .emptyClaimName, .urlAsPath, .unfitLiteral: nil
        }
    }
}
