import Dispatch
import Testing

/// The routes over a real server, with a signer that can fail.
@Suite struct TokenRouteTests {
    @Test func `a signing failure gives 503, and its reason is only logged`() throws {
        let bench = try RouteBench()
        bench.signer.fail()
        let answer = try bench.connect().ask("GET", "/token?tripID=a")
        #expect(answer.status == 503)
        #expect(answer.fields["retry-after"] == "5")
        #expect(answer.fields["content-type"] == "application/problem+json")
        #expect(answer.fields["cache-control"] == "no-store")
        let problem = try answer.json()
        #expect(problem["code"] as? String == "signing_unavailable")
        #expect(Set(problem.keys) == ["type", "title", "status", "detail", "code"])
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("key store"))
        #expect(bench.log.text == "error no token could be signed reason=\(FakeSigner.reason)\n")
    }

    @Test func `a signing failure is not cached`() throws {
        let bench = try RouteBench()
        let client = try bench.connect()
        bench.signer.fail()
        #expect(try client.ask("GET", "/token?tripID=a").status == 503)
        bench.signer.fail(false)
        #expect(try client.ask("GET", "/token?tripID=a").status == 200)
        #expect(bench.signer.asked == 2)
    }

    @Test func `a stale but valid token is used if signing fails`() throws {
        let bench = try RouteBench(reuseFraction: 1)
        let client = try bench.connect()
        let first = try client.ask("GET", "/token?tripID=a")
        #expect(first.status == 200)
        bench.signer.fail()
        let second = try client.ask("GET", "/token?tripID=a")
        #expect(second.status == 200)
        #expect(second.body == first.body)
        #expect(bench.signer.asked == 2)
        #expect(try client.ask("GET", "/token?tripID=b").status == 503)
    }

    @Test func `a token expiring within a minute is not used if signing fails`() throws {
        // A lifetime of 85 seconds, of which back-dating takes 30.
        let bench = try RouteBench(lifetime: 85, reuseFraction: 1)
        let client = try bench.connect()
        #expect(try client.ask("GET", "/token?tripID=a").status == 200)
        bench.signer.fail()
        #expect(try client.ask("GET", "/token?tripID=a").status == 503)
    }

    @Test func `a stale token is signed again, a fresh one is not`() throws {
        let stale = try RouteBench(reuseFraction: 1)
        for _ in 1...2 { #expect(try stale.connect().ask("GET", "/token?tripID=a").status == 200) }
        #expect(stale.signer.asked == 2)
        let fresh = try RouteBench()
        for _ in 1...2 { #expect(try fresh.connect().ask("GET", "/token?tripID=a").status == 200) }
        #expect(fresh.signer.asked == 1)
    }

    @Test func `two event loops asked for the same new id sign once`() throws {
        let bench = try RouteBench(loops: 2, holding: "held")
        let clients = try (0..<24).map { _ in try bench.connect() }
        // While the first client's event loop waits for its signature, a client that is answered is on the other one.
        try clients[0].send("GET", "/token?tripID=held-1")
        #expect(bench.signer.hasArrival())
        for client in clients.dropFirst() { try client.send("GET", "/healthz") }
        let other = clients[try 1 + RouteClient.firstReadable(of: Array(clients.dropFirst()))]
        #expect(try other.answer().status == 200)
        try other.send("GET", "/token?tripID=held-1")
        // The second request must not be signed; the wait gives a wrong signature time to appear.
        #expect(!bench.signer.hasArrival(before: .now() + .milliseconds(100)))
        bench.signer.releaseAll()
        let first = try clients[0].answer()
        let second = try other.answer()
        #expect(first.status == 200)
        #expect(second.body == first.body)
        #expect(bench.signer.asked == 1)
    }

    @Test func `HEAD has the headers of GET and no body`() throws {
        let bench = try RouteBench()
        let client = try bench.connect()
        for target in ["/token?tripID=a", "/token?tripID=*", "/token", "/healthz", "/nowhere"] {
            let head = try client.ask("HEAD", target)
            // The next answer on the connection is read right only if this one had no body.
            let got = try client.ask("GET", target)
            #expect(head.status == got.status)
            #expect(!got.body.isEmpty)
            for name in ["content-length", "content-type", "cache-control", "x-content-type-options"] {
                #expect(head.fields[name] == got.fields[name])
            }
        }
        bench.signer.fail()
        let failure = try client.ask("HEAD", "/token?tripID=new")
        #expect(failure.status == 503)
        #expect(failure.fields["retry-after"] == "5")
        #expect(try client.ask("GET", "/token?tripID=a").status == 200)
        #expect(bench.signer.asked == 2)
    }

    @Test func `a kind without a signer is off, and refusals sign nothing`() throws {
        let bench = try RouteBench()
        let client = try bench.connect()
        let off = try client.ask("GET", "/token?vehicleID=a")
        #expect(off.status == 404)
        #expect(try off.json()["code"] as? String == "kinds.driver.credentials_unset")
        for target in ["/token", "/token?", "/token?tripID=a&tripID=a", "/Token?tripID=a", "/token/a?tripID=a", "/"] {
            #expect((400...404).contains(try client.ask("GET", target).status))
        }
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
            for target in ["/token?tripID=a", "/healthz"] {
                let answer = try client.ask(method, target)
                #expect(answer.status == 405)
                #expect(answer.fields["allow"] == "GET, HEAD")
            }
        }
        #expect(bench.signer.asked == 0)
    }
}
