extension Configuration {
    /// How requests are read.
    package struct Request: Sendable, Equatable {
        /// Names of query parameters that are ignored; every other unknown one is refused.
        package var ignoredParameters: [String] = []
        /// Whether a request keeps the id that it came with.
        package var takesIDs = true
    }

    /// Which web pages of other origins may ask for tokens.
    package struct CORS: Sendable, Equatable {
        /// Exact origins, such as `https://app.example.com`; an empty list turns CORS off.
        package var allowedOrigins: [String] = []
        /// The headers that such pages may send.
        package var allowedHeaders: [String] = ["Authorization"]
        /// Seconds for which a browser may cache the permission.
        package var maxAge: Int64 = 600
    }
}
