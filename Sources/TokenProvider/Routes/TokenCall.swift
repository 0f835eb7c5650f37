import FleetEngineToken
import HTTPServer

/// One request for a token, as much of it as outlives the reading: it may be decided about more than once.
struct TokenCall: Sendable {
    let credentials: CallerCredentials
    /// Who is asking, by address; nil on a unix socket.
    let client: IPAddress?
    let requestID: UInt64
    /// What the access log calls the route.
    let route: String
    /// What is asked for, or what is wrong with how that is said; nobody is told who has not proved who they are.
    let wanted: Result<WantedToken, TokenProblem>
}

/// What one request asks for, resolved.
struct WantedToken: Sendable {
    let claims: PrivateClaims
    let minter: TokenMinter
    let form: AnswerForm
}
