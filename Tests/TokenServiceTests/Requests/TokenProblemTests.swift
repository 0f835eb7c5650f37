import Testing

@testable import TokenService

@Suite struct TokenProblemTests {
    private static let kinds =
        "consumer, driver, untrusted_delivery_driver, trusted_delivery_driver, delivery_consumer, task_batch, server, "
        + "delivery_server, delivery_fleet_reader, fleet_reader, delivery_driver"

    private static let sentences: [(TokenProblem, String)] = [
        (.unknownPath, "There is nothing at this path; expected /token, /token/KIND/ID, /token/KIND or /healthz."),
        (
            .unknownAdminPath,
            "There is nothing at this path; expected one of /healthz, /readyz, /metrics, /version, "
                + "/.well-known/jwks.json, /reload."
        ),
        (
            .unknownKind,
            "The path names no kind of token; expected /token/KIND/ID, or /token/KIND where the kind names no id, with "
                + "one of \(kinds)."
        ),
        (.methodNotAllowed(allowed: "GET, HEAD"), "The method is not allowed at this path; expected GET, HEAD."),
        (.originNotAllowed, "Web pages of this origin are not allowed; expected an origin in cors.allowed_origins."),
        (
            .hostNotAllowed,
            "The Host is not known here; expected an address, localhost or one of admin.allowed_hosts."
        ),
        (
            .reloadFieldMissing,
            "Web pages of other origins cannot request this; expected the header Token-Provider-Request with the last "
                + "part of the path."
        ),
        (
            .consoleHeaderMissing,
            "Web pages of other origins cannot request this; expected the header Token-Provider-Request with the last "
                + "part of the path."
        ),
        (
            .missingID(nil, called: nil),
            "The query names nothing that a token is for; expected tripID=ID, vehicleID=ID, deliveryVehicleID=ID, "
                + "trackingID=ID, taskID=ID or taskIDs=ID,ID."
        ),
        (
            .missingID(.untrustedDeliveryDriver, called: "delivery_driver"),
            "The path names no id; expected /token/delivery_driver/ID."
        ),
        (.missingID(.driver, called: nil), "The path names no id; expected /token/driver/ID."),
        (.invalidID(place: "tripID", .empty), "tripID: the id is empty; expected 1 to 64 characters."),
        (.invalidBatch(place: "taskIDs", .empty), "taskIDs: the list has no id; expected 1 to 500."),
        (.invalidBatch(place: "taskIDs", .tooMany(501)), "taskIDs: the list has 501 ids; expected at most 500."),
        (
            .invalidBatch(place: "taskIDs", .repeatedTask),
            "taskIDs: the list has an id more than once; expected each task once."
        ),
        (.repeatedParameter("tripID"), "The request has tripID more than once; expected it once."),
        (
            .conflictingParameters("tripID", "vehicleID"),
            "The request has both tripID and vehicleID; expected one of them, since no token is for both."
        ),
        (.foreignParameter("taskID", .driver), "A token of the kind driver is not for taskID; expected vehicleID."),
        (.foreignParameter("tripID", .server), "A token of the kind server is not for tripID; expected no id."),
        (
            .foreignParameter("tripID", .trustedDeliveryDriver),
            "A token of the kind trusted_delivery_driver is not for tripID; "
                + "expected deliveryVehicleID, and taskID if there is one."
        ),
        (
            .foreignParameter("tripID", .deliveryConsumer),
            "A token of the kind delivery_consumer is not for tripID; expected trackingID or taskID."
        ),
        (
            .unknownParameter("trip"),
            "The query parameter \"trip\" is not known; expected one of tripID, vehicleID, deliveryVehicleID, trackingID, "
                + "taskID, taskIDs, expiration, format."
        ),
        (.emptyParameter, "The query has a parameter without a name; expected NAME=VALUE."),
        (.unknownWord(.expiration), "expiration: expected absolute or relative."),
        (.unknownWord(.format), "format: expected one of sdk, on_demand, last_mile, javascript, android."),
        (
            .foreignExpiration(.android),
            "expiration: not available in the format android; expected format=sdk, or no expiration."
        ),
        (
            .kindOff(.driver, .key), "The kind driver is not served here; kinds.driver.credentials turns it on."
        ),
        (
            .caller(.callerRequired(.server)),
            "Tokens of the kind server open the whole fleet; expected an authenticated caller and a rule for them."
        ),
        (
            .caller(.unauthenticated),
            "The request does not say who is calling; expected Authorization: Bearer."
        ),
        (
            .caller(.invalidCredentials),
            "The credentials are not accepted; expected ones that are valid now."
        ),
        (.caller(.notAllowed), "This caller may not have this token."),
        (.caller(.limited(retryAfter: 7)), "There are too many requests; try again after the seconds of Retry-After."),
        (.caller(.checkUnavailable), "Callers cannot be checked at the moment; try again later."),
        (.caller(.auditUnavailable), "No token can be handed out at the moment; try again later."),
        (.signingUnavailable(), "No token can be signed at the moment; try again later."),
    ]

    @Test func `every problem has its sentence`() {
        for (problem, sentence) in Self.sentences { #expect(problem.detail == sentence) }
        // The compiler checks that ProblemAnswerTests has every case.
        let cases = Set(ProblemAnswerTests.problems.map(caseName))
        #expect(Set(Self.sentences.map { caseName($0.0) }) == cases)
    }

    private func caseName(_ problem: TokenProblem) -> String {
        String(String(describing: problem).prefix { $0 != "(" })
    }
}
