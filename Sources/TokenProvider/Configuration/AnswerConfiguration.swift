extension Configuration {
    /// The names and values of an answer.
    struct Answer: Sendable, Equatable {
        /// The JSON name of a trip's token, and of the same token in a vehicle's answer.
        var tripTokenKey = "TRIP_TOKEN_KEY"
        /// The JSON name of a vehicle's token.
        var vehicleTokenKey = "VEHICLE_TOKEN_KEY"
        /// The JSON name of the expiry.
        var expirationKey = "TOKEN_EXPIRATION"
        /// How the expiry is told when the request does not say it.
        var expiration = Expiration.absolute

        /// How an expiry is told.
        enum Expiration: String, CaseIterable, Sendable {
            /// In seconds since the epoch, as Google's Swift sample reads it.
            case absolute
            /// In seconds from now, as Google's Objective-C sample reads it.
            case relative
        }
    }

    /// How requests are read.
    struct Request: Sendable, Equatable {
        /// Names of query parameters that are ignored; every other unknown one is refused.
        var ignoredParameters: [String] = []
        /// Whether a request keeps the id that it came with.
        var takesIDs = true
    }
}
