/// What can be wrong with `authorization` and its private claims (FleetEngineContract.md, "Kinds of tokens").
struct AuthorizationFindings {
    private static let addAuthorization =
        "add authorization, an object with the private claims, such as {\"tripid\": \"ID\"}"
    private static let names = "tripid, vehicleid, deliveryvehicleid, taskid, trackingid or taskids"
    private static let useKnownID = "use the id that the trip, vehicle or task has in Fleet Engine"

    let missing = FindingRow(
        "authorization_missing", at: "authorization",
        "authorization is missing: Fleet Engine answers \"JWT does not contain any scopes.\"", fix: addAuthorization)
    let scopeInstead = FindingRow(
        "scope_instead", at: "authorization",
        "the token has scope, as an access token does; expected authorization, which Fleet Engine reads",
        fix: addAuthorization)
    let misspelled = FindingRow(
        "authorization_misspelled", at: "authorization", "authorization is spelled {0}: Fleet Engine does not read it",
        fix: "write authorization, all in lower case")
    let notObject = FindingRow(
        "authorization_not_object", at: "authorization", "authorization is {0}; expected an object",
        fix: addAuthorization)
    let empty = FindingRow(
        "authorization_empty", at: "authorization", "authorization is empty: the token allows nothing",
        fix: "add one of \(names)")
    let allowsNothing = FindingRow(
        "authorization_empty", at: "authorization",
        "authorization has no private claim of Fleet Engine: the token allows nothing", fix: "add one of \(names)")
    let claimMisplaced = FindingRow(
        "claim_misplaced", "{0} is outside authorization: Fleet Engine does not read it there",
        fix: "move it into authorization, as {1}")
    let claimMisspelled = FindingRow(
        "claim_misspelled", "authorization has {0}, which Fleet Engine does not read",
        fix: "write {1}, all in lower case")
    let claimNotString = FindingRow(
        "claim_not_string", "{0} is {1}; expected a string", fix: "write the id between quotation marks")
    let taskIDsNotArray = FindingRow(
        "taskids_not_array", at: "authorization.taskids", "taskids is {0}; expected an array",
        fix: "write an array of strings, such as [\"task-1\"]")
    let taskIDsEmpty = FindingRow(
        "taskids_empty", at: "authorization.taskids", "taskids is empty: the token allows nothing",
        fix: "name at least one task")
    let wildcardAmongTasks = FindingRow(
        "wildcard_among_taskids", at: "authorization.taskids", "taskids has \"*\" together with other elements",
        fix: "write [\"*\"] alone, or ids alone")
    let taskIDsUnlikeOurs = FindingRow(
        "taskids_unlike_ours", as: .note, at: "authorization.taskids",
        "taskids: {0} (a limit of token-provider that Google does not document)",
        fix: "name each task once, and at most {1} in one token")
    let idRefused = FindingRow("id_refused", "{0} {1}: {2}", fix: useKnownID)
    let idUnwise = FindingRow("id_unwise", as: .warning, "{0} {1}: {2}", fix: useKnownID)
    let conflictingClaims = FindingRow(
        "conflicting_claims", at: "authorization",
        "{0} are never in one token: the only pair of ids is deliveryvehicleid with taskid",
        fix: "sign a token for each")
    let unknownCombination = FindingRow(
        "unknown_combination", as: .warning, at: "authorization",
        "no kind of token that Google documents has {0} with these values",
        fix: "use the claims of one kind, such as tripid and vehicleid both \"*\" for a server")
    let wildcard = FindingRow(
        "wildcard", as: .warning, at: "authorization", "\"*\" in {0} opens everything",
        fix: "keep this token on your servers and operators' pages, never on a phone")
    let unknownPrivateClaim = FindingRow(
        "unknown_private_claim", as: .warning, at: "authorization",
        "authorization has {0}, which is not a private claim of Fleet Engine", fix: "use \(names)")
}
