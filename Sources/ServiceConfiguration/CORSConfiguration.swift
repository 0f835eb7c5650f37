extension Configuration {
    /// Which web pages of other origins may ask.
    package struct CORS: Sendable, Equatable {
        /// Exact origins, such as `https://app.example.com`; none turns CORS off.
        package var allowedOrigins: [String] = []
        /// The fields that such pages may send.
        package var allowedHeaders: [String] = ["Authorization"]
        /// Seconds for which a browser may remember that it may ask.
        package var maxAge: Int64 = 600
    }
}
