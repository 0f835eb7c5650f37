import CallerAccess
import FleetEngineToken
import HTTPServer

/// The parts of a token request that outlive its bytes, since the decision may be made later, or again.
package struct TokenCall: Sendable {
    let credentials: CallerCredentials
    /// The headers for the back end; empty if none is configured.
    let shown: [BackEndQuestion.Field]
    /// The client's address; nil on a unix socket.
    let client: IPAddress?
    /// The same address if limits count it.
    let countedClient: IPAddress?
    let identity: RequestIdentity
    /// What the request asks for, or the error in it, which only an authenticated caller may see.
    let wanted: Result<WantedToken, TokenProblem>
    /// The route's name in the access log.
    let route: String
    /// The route and the kind, as metrics count them.
    let category: RequestCategory
}

/// The token that a request asks for, and what mints it.
package struct WantedToken: Sendable {
    let claims: PrivateClaims
    let minter: TokenMinter
    let form: AnswerForm
}

/// A request whose caller may have its token.
package struct GrantedRequest: Sendable {
    let grant: Grant
    let minter: TokenMinter
    let form: AnswerForm
    let call: TokenCall
}
