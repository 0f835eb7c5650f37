import HTTPServer
import HTTPServerHTTP2

extension Configuration {
    /// The HTTP server's limits; sizes are in bytes.
    package struct HTTP: Sendable, Equatable {
        /// The number of event loops; 0 means one per core.
        package var loops = 0
        /// The permissions of unix sockets; nil for those of the umask.
        package var unixSocketMode: UInt32?
        /// Whether another daemon of the same user may listen at the same addresses.
        package var sharesPorts = false
        /// How many connections may be open at once.
        package var maxConnections = 16384
        /// How many connections one client address may have open at once.
        package var maxConnectionsPerAddress = 2048
        /// How long the headers of a request may take to arrive.
        package var headerTimeout = Duration.seconds(10)
        /// How long a connection may wait for its next request.
        package var idleTimeout = Duration.seconds(75)
        /// How long the client may take to read an answer.
        package var writeTimeout = Duration.seconds(30)
        /// How long a stop waits for accepted requests.
        package var drainTimeout = Duration.seconds(8)
        /// How long a request may be.
        package var limits = HTTPLimits()
    }

    /// Whether HTTP/2 is spoken, and the limits of one connection.
    package struct HTTP2: Sendable, Equatable {
        /// Whether clients of https are offered it.
        package var isEnabled = true
        /// Whether clients of plain HTTP may begin with it.
        package var priorKnowledge = false
        /// What a connection may request.
        package var limits = HTTP2Limits()
    }

    /// The names and values of an answer.
    package struct Answer: Sendable, Equatable {
        /// The JSON name of a trip's token, and of the same token in a vehicle's answer.
        package var tripTokenKey = "TRIP_TOKEN_KEY"
        /// The JSON name of a vehicle's token.
        package var vehicleTokenKey = "VEHICLE_TOKEN_KEY"
        /// The JSON name of the expiry.
        package var expirationKey = "TOKEN_EXPIRATION"
        /// The form of the expiry when the request does not choose one.
        package var expiration = Expiration.absolute

        /// The form of an expiry.
        package enum Expiration: String, CaseIterable, Sendable {
            /// In seconds since the epoch, as Google's Swift sample reads it.
            case absolute
            /// In seconds from now, as Google's Objective-C sample reads it.
            case relative
        }

        /// The members of an error answer (RFC 9457 section 3.1, and ours), whose names no token may have.
        package static let problemMembers = ["type", "title", "status", "detail", "code"]

        package init() {}
    }

    /// How requests are read.
    package struct Request: Sendable, Equatable {
        /// Names of query parameters that are ignored; every other unknown one is refused.
        package var ignoredParameters: [String] = []
        /// Whether a request keeps the id that it came with.
        package var takesIDs = true
        /// What may come before each path, such as `/fleet`.
        package var pathPrefix: String?
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
