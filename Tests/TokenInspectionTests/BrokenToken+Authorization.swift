/// What is in `authorization`, or is not.
extension BrokenToken {
    static let authorizations: [BrokenToken] = [
        BrokenToken(
            claim: "authorization", nil,
            "refused authorization_missing: authorization is missing: Fleet Engine answers \"JWT does not contain "
                + "any scopes.\""
        ),
        BrokenToken(
            "private claims beside the others",
            TokenDraft { ($0.claims["authorization"], $0.claims["trip_id"]) = (nil, #""t-1""#) }.token,
            "refused authorization_missing: authorization is missing: Fleet Engine answers \"JWT does not contain "
                + "any scopes.\"",
            "refused claim_misplaced: \"trip_id\" is outside authorization: Fleet Engine does not read it there"),
        BrokenToken(
            "Authorization instead of authorization",
            TokenDraft { ($0.claims["authorization"], $0.claims["Authorization"]) = (nil, "{}") }.token,
            "refused authorization_misspelled: authorization is spelled \"Authorization\": Fleet Engine does not "
                + "read it"
        ),
        BrokenToken(
            "scope instead of authorization",
            TokenDraft { ($0.claims["authorization"], $0.claims["scope"]) = (nil, #""a b""#) }.token,
            "refused scope_instead: the token has scope, as an access token does; expected authorization, which "
                + "Fleet Engine reads"
        ),
        BrokenToken(
            authorization: #""tripid:t-1""#,
            "refused authorization_not_object: authorization is \"tripid:t-1\"; expected an object"),
        BrokenToken(
            authorization: "[]", "refused authorization_not_object: authorization is an array; expected an object"),
        BrokenToken(
            authorization: "{}", "refused authorization_empty: authorization is empty: the token allows nothing"),
        BrokenToken(
            authorization: #"{"tripId":"t-1"}"#,
            "refused claim_misspelled: authorization has \"tripId\", which Fleet Engine does not read"),
        BrokenToken(
            authorization: #"{"trip_id":"t-1"}"#,
            "refused claim_misspelled: authorization has \"trip_id\", which Fleet Engine does not read"),
        BrokenToken(
            authorization: #"{"delivery-vehicle-ids":"v-1"}"#,
            "refused claim_misspelled: authorization has \"delivery-vehicle-ids\", which Fleet Engine does not read"),
        BrokenToken(
            authorization: #"{"vehicle":"v-1"}"#,
            "refused claim_misspelled: authorization has \"vehicle\", which Fleet Engine does not read"),
        BrokenToken(
            authorization: #"{"tripid":"t-1","role":"rider"}"#,
            "warning unknown_private_claim: authorization has \"role\", which is not a private claim of Fleet Engine"),
        BrokenToken(
            authorization: #"{"orderid":"o-1"}"#,
            "warning unknown_private_claim: authorization has \"orderid\", which is not a private claim of Fleet "
                + "Engine",
            "refused authorization_empty: authorization has no private claim of Fleet Engine: the token allows nothing"
        ),
        BrokenToken(authorization: #"{"tripid":17}"#, "refused claim_not_string: tripid is 17; expected a string"),
        BrokenToken(
            authorization: #"{"vehicleid":["v-1"]}"#,
            "refused claim_not_string: vehicleid is an array; expected a string"),
        BrokenToken(
            authorization: #"{"taskids":"a"}"#, "refused taskids_not_array: taskids is \"a\"; expected an array"),
        BrokenToken(
            authorization: #"{"taskids":["a",2]}"#,
            "refused claim_not_string: an element of taskids is 2; expected a string"),
        BrokenToken(
            authorization: #"{"taskids":[]}"#,
            "refused taskids_empty: taskids is empty: the token allows nothing"),
        BrokenToken(
            authorization: #"{"taskids":["a","*"]}"#,
            "refused wildcard_among_taskids: taskids has \"*\" together with other elements"),
        BrokenToken(
            authorization: #"{"taskids":["*","*"]}"#,
            "refused wildcard_among_taskids: taskids has \"*\" together with other elements"),
        BrokenToken(
            "taskids with 501 ids",
            TokenDraft(authorization: #"{"taskids":[\#((1...501).map { "\"t\($0)\"" }.joined(separator: ","))]}"#)
                .token,
            "note taskids_unlike_ours: taskids: the list has 501 ids; expected at most 500 \(ours)"),
        BrokenToken(
            authorization: #"{"taskids":["a","a"]}"#,
            "note taskids_unlike_ours: taskids: the list has an id more than once; expected each task once \(ours)"),
        BrokenToken(
            authorization: #"{"tripid":""}"#,
            "refused id_refused: tripid \"\": the id is empty; expected 1 to 64 characters"),
        BrokenToken(
            authorization: #"{"vehicleid":"fleet/v-1"}"#,
            "refused id_refused: vehicleid \"fleet/v-1\": the id contains U+002F '/'; expected none of / : ? , #"),
        BrokenToken(
            authorization: #"{"taskids":["a","e\u0301"]}"#,
            "refused id_refused: taskids \"e\u{301}\": the id is not in Unicode Normalization Form C; expected that "
                + "form, since an id is never rewritten"
        ),
        BrokenToken(
            authorization: #"{"trackingid":"a\u0000"}"#,
            #"warning id_unwise: trackingid "a\u0000": the id contains the control character U+0000; expected none"#),
        BrokenToken(
            authorization: #"{"tripid":" t"}"#,
            "warning id_unwise: tripid \" t\": the id begins or ends with the white space U+0020; expected none "
                + "around it"
        ),
        BrokenToken(
            authorization: #"{"tripid":"t-1","vehicleid":"v-1"}"#,
            "refused conflicting_claims: tripid and vehicleid are never in one token: \(pair)"),
        BrokenToken(
            authorization: #"{"trackingid":"s-1","taskid":"a"}"#,
            "refused conflicting_claims: taskid and trackingid are never in one token: \(pair)"),
        BrokenToken(
            authorization: #"{"taskids":["a"],"deliveryvehicleid":"*"}"#,
            "warning wildcard: \"*\" in deliveryvehicleid opens everything",
            "refused conflicting_claims: deliveryvehicleid and taskids are never in one token: \(pair)"),
        BrokenToken(
            authorization: #"{"tripid":"*"}"#, "warning wildcard: \"*\" in tripid opens everything",
            "warning unknown_combination: no kind of token that Google documents has tripid with these values"),
        BrokenToken(
            authorization: #"{"vehicleid":"v-1","tripid":"*"}"#,
            "warning wildcard: \"*\" in tripid opens everything",
            "warning unknown_combination: no kind of token that Google documents has tripid and vehicleid with these "
                + "values"
        ),
    ]

    private static let ours = "(a limit of token-provider that Google does not document)"
    private static let pair = "the only pair of ids is deliveryvehicleid with taskid"
}
