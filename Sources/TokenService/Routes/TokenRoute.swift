import CallerAccess
import FleetEngineToken
import HTTPServer

/// Selects the route of a request: the token route or an open path. Paths are compared as sent, never decoded, resolved or
/// normalized.
package final class Router: Sendable {
    package let token: TokenRoute
    /// Nil if web pages of other origins are not allowed.
    package let crossOrigin: CrossOrigin?
    /// Nil if browsers get no pages.
    let pages: WebPages?
    /// What may come before each path.
    private let pathPrefix: [UInt8]

    package init(token: TokenRoute, crossOrigin: CrossOrigin?, pages: WebPages? = nil, below pathPrefix: String = "") {
        (self.token, self.crossOrigin, self.pages) = (token, crossOrigin, pages)
        self.pathPrefix = Array(pathPrefix.utf8)
    }

    /// What the listeners for apps serve; nil for `observe` costs nothing.
    package func application(
        notice: @escaping @Sendable (ServerNotice) -> Void, observe: (@Sendable (AccessRecord) -> Void)?
    ) -> HTTPApplication {
        var headers: (@Sendable (borrowing HTTPRequest) -> HTTPFields?)?
        if let crossOrigin {
            headers = { request in Router.isForToken(request) ? crossOrigin.headers(for: request) : nil }
        }
        return HTTPApplication(
            below: pathPrefix, respond: { request, time in self.respond(to: request, at: time) }, headers: headers,
            refuse: { rejection in ProblemAnswer.answer(rejection) },
            isExemptFromLimits: { request in Router.isExemptFromLimits(request) }, notice: notice, observe: observe)
    }

    /// Whether a request is answered even if the server is busy.
    package static func isExemptFromLimits(_ request: borrowing HTTPRequest) -> Bool { OpenPath(request) == .health }

    private static func isForToken(_ request: borrowing HTTPRequest) -> Bool {
        request.hasPath("/token") || request.pathBegins(with: "/token/")
    }

    package func respond(to request: borrowing HTTPRequest, at time: ServerTime) -> HTTPAnswer {
        if Router.isForToken(request) {
            if let crossOrigin, request.method == .options { return .now(crossOrigin.answerToOptions(request)) }
            return token.respond(to: request, at: time)
        }
        // RFC 9110 section 9.3.8: a TRACE would return credentials; section 9.3.6: CONNECT would make this a proxy.
        // OPTIONS * is about the whole server, not a path (section 9.3.7).
        let isOfTheServer = request.method == .options && request.hasPath("")
        if request.method == .trace || request.method == .connect || isOfTheServer {
            return .now(ProblemAnswer.answer(.methodNotAllowed(allowed: HTTPMethod.readingNames)))
        }
        switch OpenPath(request) {
        case .health: return .now(HealthRoute.respond(to: request))
        case nil:
            if let page = pages?.answer(to: request) { return .now(page) }
            let route = request.withPath { token.records.label.path($0, to: $0.count) }
            return .now(ProblemAnswer.answer(.unknownPath, route: route))
        }
    }
}

extension HTTPMethod {
    /// The methods that routes answer, as in `Allow`.
    package static let readingNames = "GET, HEAD"

    /// Whether it is one of them.
    package var reads: Bool {
        switch self {
        case .get, .head: true
        default: false
        }
    }
}

/// `GET /token` and `GET /token/{kind}/{id}`: the only place that knows both sides, the request and the token.
///
/// A cached request passes eight files, from the readable socket to the sent answer, without a task, a closure or an object
/// of its own:
///
///     HTTPServer/Loop/EventLoop.swift                      turn, handle: the poller reports a readable socket
///     HTTPServer/Loop/Connection.swift                     readable, receive, serve: bytes for the protocol in use
///     HTTPServer/Loop/Connection+Requests.swift            answerRequests: the requests among the bytes, in order
///     HTTPServer/Parsing/RequestParser.swift               parse: bytes -> incomplete, request or rejection
///     TokenService/Routes/TokenRoute.swift                 Router.respond: the route of the path; TokenRoute.respond,
///                                                          answer, decide: the checks, in order
///     TokenService/Requests/TokenRequestReader.swift       wanted: path and query -> claims, minter and format
///     TokenService/Callers/CallerGate.swift                identify, permission: the caller, and a `Grant` by the rules
///     TokenService/Routes/TokenHandout.swift               answer, reuse: the cached token, as a response
///
/// The response goes back to Connection+Requests (`write`: into the loop's output) and to Connection (`settle`, `perform`:
/// one system call sends it, and the machine names what comes next). An answer that comes later leaves this way in
/// `Connection.answer` and comes back to `serve` (HTTPServer/Loop/PendingAnswers.swift).
///
/// Every request passes the same checks and is recorded whatever the result. The route is a class, so that a pending
/// answer keeps it.
package final class TokenRoute: Sendable {
    package let gate: CallerGate
    package let clients: ClientAddresses
    package let limits: RequestLimits
    /// Of peers on this machine, which may be proxies whose clients are then not limited by address. Nil if no limit counts
    /// addresses.
    let uncountedPeers: OneTimeWarning?
    package let reader: TokenRequestReader
    package let handout: TokenHandout
    /// The methods in `Allow`.
    private let methods: String

    package init(
        gate: CallerGate, clients: ClientAddresses, limits: RequestLimits, reader: TokenRequestReader,
        handout: TokenHandout, uncountedPeers: OneTimeWarning? = nil, methods: String = HTTPMethod.readingNames
    ) {
        (self.gate, self.clients, self.limits, self.reader) = (gate, clients, limits, reader)
        (self.handout, self.uncountedPeers, self.methods) = (handout, uncountedPeers, methods)
    }

    package var records: TokenRecords { handout.records }

    /// What mints a kind's tokens; nil if the kind is off.
    package func minter(of kind: TokenKind) -> TokenMinter? { try? reader.kinds.minter(of: kind) }

    /// The same without a reference to the route: the mint keeps it, and the route keeps the mint.
    package var minters: @Sendable (TokenKind) -> TokenMinter? {
        { [kinds = reader.kinds] kind in try? kinds.minter(of: kind) }
    }

    package func respond(to request: borrowing HTTPRequest, at time: ServerTime) -> HTTPAnswer {
        let client = clients.client(of: request)
        let counted = clients.counted(client, of: request)
        let credentials = gate.credentials(of: request)
        let excess = limits.excess(of: counted, at: time)
        // They may be a neighbour's requests: a caller with a limit of its own is served.
        let refusal = gate.mayKnow(credentials) ? nil : excess
        var (route, category) = (ServicePath.token, RequestCategory.query(nil))
        let call = TokenCall(
            credentials: credentials, shown: gate.shownFields(of: request, from: client, clients), client: client,
            countedClient: counted, isExcessive: excess != nil, identity: request.identity,
            wanted: wanted(request, refusal, &route, &category), route: route, category: category)
        if let refusal { return .now(records.refuse(call, refusal)) }
        guard request.method.reads else {
            // Preflights get here only if no origin is allowed.
            let isPreflight = CrossOrigin.isPreflight(request)
            return .now(records.refuse(call, isPreflight ? .originNotAllowed : .methodNotAllowed(allowed: methods)))
        }
        return answer(consume call, at: time)
    }

    /// What the request asks for, or the error in it; and the route's name in the access log and in metrics. The ids of a
    /// request that is refused in any case are not read.
    private func wanted(
        _ request: borrowing HTTPRequest, _ refusal: CallerRefusal?, _ route: inout String,
        _ category: inout RequestCategory
    ) -> Result<WantedToken, TokenProblem> {
        do throws(TokenProblem) {
            let path = try request.withPath { path throws(TokenProblem) in try TokenPath(path) }
            route = path.route
            if let refusal { throw .caller(refusal.problem) }
            let wanted = try reader.wanted(request, path)
            category = RequestCategory(isPath: path.kind != nil, wanted.claims.kind)
            return .success(wanted)
        } catch {
            category = request.withPath { RequestCategory(ofRefused: $0) }
            if case .unknownKind = error {
                route = request.withPath { records.label.path($0, to: TokenPath.endOfUnknownKind($0)) }
            }
            return .failure(error)
        }
    }

    /// Decides, and answers by the decision, which replaces an `earlier` refusal. It takes the call, since to copy its parts
    /// would cost every request.
    func answer(
        _ call: consuming TokenCall, verifying caller: UnverifiedCaller? = nil, at time: ServerTime,
        replacing earlier: ReplaceableRefusal? = nil
    ) -> HTTPAnswer {
        do throws(CallerRefusal) {
            switch try decide(call, caller, at: time) {
            case .granted(let grant, let minter, let form):
                earlier?.replace()
                return handout.answer(
                    GrantedRequest(grant: grant, minter: minter, form: form, call: consume call), at: time)
            case .askBackEnd(let request, let wanted):
                earlier?.replace()
                return answer(wanted, by: request, copy call, at: time)
            case .unverified(let caller):
                let call = consume call
                return .afterWork { [self] time in
                    guard !call.isExcessive, !limits.verifications.takes(call.countedClient, at: time) else {
                        return answerInTurn(call, verifying: caller, replacing: earlier)
                    }
                    return answer(call, verifying: caller, at: time, replacing: earlier)
                }
            case .invalid(let problem, let principal):
                earlier?.replace()
                return .now(records.refuse(call, problem, to: principal))
            }
        } catch {
            // If a fetch may bring the key that was missing, the request is decided again after it.
            if earlier == nil, let feed = error.feed { return afterFetch(of: feed, consume call, replacing: error) }
            earlier?.replace()
            return refuse(call, error, at: time)
        }
    }

    private enum Decision {
        case granted(Grant, TokenMinter, AnswerForm)
        case askBackEnd(GrantRequest, WantedToken)
        /// The token was not verified before; that is done in a later turn.
        case unverified(UnverifiedCaller)
        /// The caller may know what is wrong with the request.
        case invalid(TokenProblem, Principal)
    }

    /// Identifies the caller, limits the principal and asks for the permission.
    @inline(__always)
    private func decide(
        _ call: borrowing TokenCall, _ unverified: UnverifiedCaller?, at time: ServerTime
    ) throws(CallerRefusal) -> Decision {
        switch try identify(call, unverified, at: time) {
        case .unverified(let caller): return .unverified(caller)
        case .caller(let caller):
            if let refusal = limits.excess(of: caller.principal, at: time) { throw refusal }
            switch call.wanted {
            case .failure(let problem):
                try caller.requireAuthentication()
                try limits.requireLimit(of: caller.principal, isExcessive: call.isExcessive)
                return .invalid(problem, caller.principal)
            case .success(let wanted):
                switch try caller.permission(wanted.claims, showing: call.shown) {
                case .granted(let grant):
                    try limits.requireLimit(of: caller.principal, isExcessive: call.isExcessive)
                    return .granted(grant, wanted.minter, wanted.form)
                case .askBackEnd(let request): return .askBackEnd(request, wanted)
                }
            }
        }
    }

    /// The caller; a token that was left to be verified is verified now.
    @inline(__always)
    private func identify(
        _ call: borrowing TokenCall, _ unverified: UnverifiedCaller?, at time: ServerTime
    ) throws(CallerRefusal) -> CallerIdentity {
        guard let unverified else {
            return try gate.identify(call.credentials, from: call.countedClient, limits, at: time)
        }
        return .caller(try unverified.verified(limits, at: time))
    }

    /// Verifies a token in its address's turn and decides then, even if the client has gone.
    private func answerInTurn(
        _ call: TokenCall, verifying caller: UnverifiedCaller, replacing earlier: ReplaceableRefusal?
    ) -> HTTPAnswer {
        .later { promise in
            self.limits.verifications.add(promise, of: call.countedClient) {
                promise.give(self.answer(call, verifying: caller, at: .now(), replacing: earlier))
            }
        }
    }

    /// The answer to a caller that may not have a token.
    package func refuse(_ call: TokenCall, _ refusal: CallerRefusal, at time: ServerTime) -> HTTPAnswer {
        limits.count(refusal, from: call.countedClient, isExcessive: call.isExcessive, at: time)
        if call.countedClient == nil, let peer = call.client {
            uncountedPeers?.warn {
                $0.warning(
                    "refused a request of a peer on this machine, which address limits do not count; a proxy must be in proxies.trusted",
                    metadata: ["peer": "\(peer)"])
            }
        }
        return .now(records.refuse(call, refusal))
    }
}
