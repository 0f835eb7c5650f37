import StrictJSON

/// The `authorization` object and its private claims.
extension TokenFinding {
    private static let addAuthorization =
        "add authorization, an object with the private claims, such as {\"tripid\": \"ID\"}"
    private static let names = "tripid, vehicleid, deliveryvehicleid, taskid, trackingid or taskids"

    static let authorizationMissing = TokenFinding(
        .authorizationMissing, .refused, "authorization",
        "authorization is missing; Fleet Engine answers \"JWT does not contain any scopes.\"", fix: addAuthorization)

    static let scopeInstead = TokenFinding(
        .scopeInstead, .refused, "authorization",
        "there is scope, as for an access token, instead of authorization, which Fleet Engine reads",
        fix: addAuthorization)

    static func authorizationMisspelled(_ name: JSONName) -> TokenFinding {
        TokenFinding(
            .authorizationMisspelled, .refused, "authorization",
            "authorization is spelled \(Quoted.text(name.text)), which Fleet Engine does not read",
            fix: "write authorization, all in lower case")
    }

    static func authorizationNotObject(_ value: JSONValue) -> TokenFinding {
        TokenFinding(
            .authorizationNotObject, .refused, "authorization",
            "authorization is \(Quoted.value(value)), not an object", fix: addAuthorization)
    }

    static let authorizationEmpty = TokenFinding(
        .authorizationEmpty, .refused, "authorization", "authorization is empty, so the token opens nothing",
        fix: "put one of \(names) into it")

    static let authorizationOpensNothing = TokenFinding(
        .authorizationEmpty, .refused, "authorization",
        "authorization holds no private claim of Fleet Engine, so the token opens nothing",
        fix: "put one of \(names) into it")

    static func claimMisplaced(_ found: JSONName, _ name: PrivateClaimName) -> TokenFinding {
        TokenFinding(
            .claimMisplaced, .refused, name.rawValue,
            "\(Quoted.text(found.text)) stands beside the other claims, where Fleet Engine does not read it",
            fix: "move it into authorization, as \(name.rawValue)")
    }

    static func claimMisspelled(_ found: JSONName, _ name: PrivateClaimName) -> TokenFinding {
        TokenFinding(
            .claimMisspelled, .refused, name.path,
            "authorization has \(Quoted.text(found.text)), which Fleet Engine does not read",
            fix: "write \(name.rawValue), all in lower case")
    }

    static func claimNotString(_ name: PrivateClaimName, _ value: JSONValue) -> TokenFinding {
        let place = name == .taskIDs ? "an element of taskids" : name.rawValue
        return TokenFinding(
            .claimNotString, .refused, name.path, "\(place) is \(Quoted.value(value)), not a string",
            fix: "write the id between quotation marks")
    }

    static func taskIDsNotArray(_ value: JSONValue) -> TokenFinding {
        TokenFinding(
            .taskIDsNotArray, .refused, PrivateClaimName.taskIDs.path,
            "taskids is \(Quoted.value(value)), not an array", fix: "write an array of strings, such as [\"task-1\"]")
    }

    static let taskIDsEmpty = TokenFinding(
        .taskIDsEmpty, .refused, PrivateClaimName.taskIDs.path, "taskids has no element, so the token opens nothing",
        fix: "name at least one task")

    static let wildcardAmongTasks = TokenFinding(
        .wildcardAmongTasks, .refused, PrivateClaimName.taskIDs.path, "taskids has \"*\" among other elements",
        fix: "write [\"*\"] alone, or ids alone")

    /// Ids that only this provider would not put into one token.
    static func taskIDsUnlikeOurs(_ error: TaskBatchError) -> TokenFinding {
        TokenFinding(
            .taskIDsUnlikeOurs, .note, PrivateClaimName.taskIDs.path,
            "taskids: \(error.sentence), which is a limit of this provider, not one that Google documents",
            fix: "name each task once, and no more than \(TaskBatch.maxTasks) in one token")
    }

    /// An id against the rules of Fleet Engine's protocol buffers, or those of ours that it does not document.
    static func id(_ name: PrivateClaimName, _ id: String, _ error: FleetEngineIDError) -> TokenFinding {
        let isDocumented =
            switch error {
            case .empty, .tooLong, .notUTF8, .notNFC, .forbiddenCharacter, .wildcard: true
            case .controlCharacter, .surroundingWhiteSpace, .dotSegment: false
            }
        return TokenFinding(
            isDocumented ? .idRefused : .idUnwise, isDocumented ? .refused : .warning, name.path,
            "\(name.rawValue) \(Quoted.text(id)): \(error.sentence)",
            fix: "use the id that the trip, vehicle or task has in Fleet Engine")
    }

    static func conflictingClaims(_ names: [PrivateClaimName]) -> TokenFinding {
        TokenFinding(
            .conflictingClaims, .refused, "authorization",
            "\(names.list) are never in one token; the only pair of ids is deliveryvehicleid with taskid",
            fix: "sign a token for each")
    }

    static func unknownCombination(_ names: [PrivateClaimName]) -> TokenFinding {
        TokenFinding(
            .unknownCombination, .warning, "authorization",
            "no kind of token that Google documents has \(names.list) with these values",
            fix: "use the claims of one kind, such as tripid and vehicleid both \"*\" for a server")
    }

    static func wildcard(_ names: [PrivateClaimName]) -> TokenFinding {
        TokenFinding(
            .wildcard, .warning, "authorization", "\"*\" in \(names.list) opens everything",
            fix: "keep this token on your servers and operators' pages, never on a phone")
    }

    static func unknownPrivateClaim(_ name: JSONName) -> TokenFinding {
        TokenFinding(
            .unknownPrivateClaim, .warning, "authorization",
            "authorization has \(Quoted.text(name.text)), which is no private claim of Fleet Engine",
            fix: "use \(names)")
    }

    static func unknownClaim(_ name: JSONName) -> TokenFinding {
        TokenFinding(
            .unknownClaim, .note, JSONText.bare(name),
            "there is the claim \(Quoted.text(name.text)), which Fleet Engine does not ask for",
            fix: "nothing needs to be done")
    }
}

extension PrivateClaimName {
    fileprivate var path: String { "authorization.\(rawValue)" }
}

extension [PrivateClaimName] {
    fileprivate var list: String { map(\.rawValue).joined(separator: " and ") }
}
