import CallerAccess
import FleetEngineToken
import HTTPServer

/// One request for a token, as much of it as outlives the reading: it may be decided about more than once.
package struct TokenCall: Sendable {
    let credentials: CallerCredentials
    /// What a back end that decides would be shown; nothing where none does.
    let shown: [BackEndQuestion.Field]
    /// Who is asking, by address; nil on a unix socket.
    let client: IPAddress?
    /// The same where limits count it.
    let countedClient: IPAddress?
    let identity: RequestIdentity
    /// What is asked for, or what is wrong with how that is said; nobody is told who has not proved who they are.
    let wanted: Result<WantedToken, TokenProblem>
    /// What the access log calls the route.
    let route: String
    /// What metrics call the route and the kind.
    let category: RequestCategory
}

/// What one request asks for, resolved.
package struct WantedToken: Sendable {
    let claims: PrivateClaims
    let minter: TokenMinter
    let form: AnswerForm

    /// The same for a token that serves no longer than so many seconds.
    func narrowed(to lifetime: Int64) throws(TokenPolicyError) -> WantedToken {
        WantedToken(claims: claims, minter: try minter.narrowed(to: lifetime), form: form)
    }
}
