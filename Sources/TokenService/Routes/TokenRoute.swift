import HTTPServer

/// `GET /token` and `GET /token/{kind}/{id}`: the only place that knows both sides, the request and the token.
///
/// Every request passes the same stations in the same order: the limit of its address, who is calling, what is asked
/// for, may they have it (which a back end may have to say, later), their own limit; only then is the token handed out. A
/// record is kept of whatever comes of it. Held by reference: whatever an answer waits for keeps the route.
package final class TokenRoute: Sendable {
    /// Who decides about callers.
    package let tables: CallerTables
    package let clients: ClientAddresses
    package let limits: RequestLimits
    /// Nil where no limit counts addresses.
    let uncounted: UncountedPeers?
    package let reader: TokenRequestReader
    package let handout: TokenHandout
    package let records: TokenRecords
    /// What a refusal of another method names.
    private let methods: String

    package init(
        tables: CallerTables, clients: ClientAddresses, limits: RequestLimits, reader: TokenRequestReader,
        handout: TokenHandout, records: TokenRecords, uncounted: UncountedPeers? = nil,
        methods: String = HTTPMethod.readingNames
    ) {
        self.methods = methods
        (self.tables, self.clients, self.limits) = (tables, clients, limits)
        (self.reader, self.handout, self.records, self.uncounted) = (reader, handout, records, uncounted)
    }

    package func respond(to request: borrowing HTTPRequest, at time: ServerTime) -> HTTPAnswer {
        let call = call(request)
        if let refusal = limits.excess(of: call.countedClient, at: time) { return .now(records.refuse(call, refusal)) }
        guard request.method.reads else {
            return .now(records.refuse(call, .methodNotAllowed(allowed: methods)))
        }
        return answer(call, at: time, looksAgain: true)
    }

    /// What of the request outlives it.
    private func call(_ request: borrowing HTTPRequest) -> TokenCall {
        let client = clients.client(of: request)
        var (route, category) = (Router.tokenPath, RequestCategory.query(nil))
        return TokenCall(
            credentials: tables.credentials(of: request), shown: tables.shownFields(of: request), client: client,
            countedClient: clients.counted(client, of: request), identity: request.identity,
            wanted: wanted(request, &route, &category), route: route, category: category)
    }

    /// What is asked for, or what is wrong with how that is said; and what the access log and metrics call the route.
    private func wanted(
        _ request: borrowing HTTPRequest, _ route: inout String, _ category: inout RequestCategory
    ) -> Result<WantedToken, TokenProblem> {
        do throws(TokenProblem) {
            let path = try request.withPath { path throws(TokenProblem) in try TokenPath(path) }
            route = path.route
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

    /// Decides; once the caller's token is verified, which is work of its own.
    private func answer(_ call: TokenCall, at time: ServerTime, looksAgain: Bool) -> HTTPAnswer {
        refusing(call, looksAgain, at: time) { () throws(CallerRefusal) in
            switch try tables.identify(call.credentials, from: call.countedClient, limits, at: time) {
            case .caller(let caller): return try decide(call, caller, at: time)
            case .unverified(let caller):
                return .afterWork { [self] time in
                    refusing(call, looksAgain, at: time) { () throws(CallerRefusal) in
                        try decide(call, caller.verified(from: call.countedClient, limits, at: time), at: time)
                    }
                }
            }
        }
    }

    private func decide(
        _ call: TokenCall, _ caller: IdentifiedCaller, at time: ServerTime
    ) throws(CallerRefusal) -> HTTPAnswer {
        if let refusal = limits.excess(of: caller.principal, at: time) { throw refusal }
        switch call.wanted {
        case .failure(let problem):
            try caller.mustBeKnown()
            return .now(records.refuse(call, problem, to: caller.principal))
        case .success(let wanted):
            switch try caller.permission(wanted.claims, showing: call.shown) {
            case .granted(let grant): return handout.answer(wanted, grant, call, records, at: time)
            case .open(let request): return try answer(wanted, by: request, call, at: time)
            }
        }
    }

    /// The answer, or the refusal; where a key is missing that a fetch may bring, what is decided once more after it.
    private func refusing(
        _ call: TokenCall, _ looksAgain: Bool, at time: ServerTime, _ decide: () throws(CallerRefusal) -> HTTPAnswer
    ) -> HTTPAnswer {
        do throws(CallerRefusal) {
            return try decide()
        } catch {
            if looksAgain, let feed = error.feed { return afterFetch(of: feed, call) }
            return refuse(call, error, at: time)
        }
    }

    /// The answer to a caller who may not have a token.
    package func refuse(_ call: TokenCall, _ refusal: CallerRefusal, at time: ServerTime) -> HTTPAnswer {
        limits.count(refusal, from: call.countedClient, at: time)
        if call.countedClient == nil, let peer = call.client { uncounted?.look(at: peer) }
        return .now(records.refuse(call, refusal))
    }

    /// Decides once the issuer's keys have been fetched again, or at once if they are not.
    private func afterFetch(of feed: KeySetFeed, _ call: TokenCall) -> HTTPAnswer {
        .later { promise in
            let held = HeldAnswer(promise)
            let decide: @Sendable () -> Void = {
                held.give { time in self.answer(call, at: time, looksAgain: false) }
            }
            if !feed.mayBringKey(decide) { decide() }
        }
    }
}
