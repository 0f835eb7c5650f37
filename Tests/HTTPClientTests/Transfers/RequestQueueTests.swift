import Testing

@testable import HTTPClient

struct RequestQueueTests {
    private static let start = ContinuousClock.now

    private func queue(_ total: Int, perHost: Int, waiting: Int = 100) -> RequestQueue {
        RequestQueue(
            HTTPClientSettings(maxConnections: total, maxConnectionsPerHost: perHost, maxWaiting: waiting))
    }

    private func pending(_ host: String, _ path: Int, seconds: Int = 10) throws -> PendingRequest {
        let url = try OutgoingURL("https://\(host)/\(path)")
        return PendingRequest(
            try request(url, connect: .seconds(1), total: .seconds(seconds), redirects: 1), at: Self.start
        ) { _ in }
    }

    private func pending(_ path: Int, of sender: UInt64?) throws -> PendingRequest {
        let limits = HTTPClientLimits(connectTimeout: .seconds(1), totalTimeout: .seconds(10), maxBodyBytes: 0)
        let request = try HTTPClientRequest(url: OutgoingURL("https://a/\(path)"), limits: limits, sender: sender)
        return PendingRequest(request, at: Self.start) { _ in }
    }

    private func beginAll(_ queue: inout RequestQueue) -> [String] {
        var begun: [String] = []
        while let next = queue.begin() { begun.append(String(next.url.text.dropFirst(8))) }
        return begun
    }

    @Test func `requests start in arrival order, except for hosts at their limit`() throws {
        var queue = queue(3, perHost: 2)
        let first = try pending("a", 0)
        #expect(queue.add(first) == nil)
        for number in 1...3 { #expect(queue.add(try pending("a", number)) == nil) }
        for number in 4...5 { #expect(queue.add(try pending("b", number)) == nil) }
        #expect(beginAll(&queue) == ["a/0", "a/1", "b/4"])
        queue.end(first)
        #expect(beginAll(&queue) == ["a/2"])
        queue.end(first)
        #expect(beginAll(&queue) == ["a/3"])
        queue.end(first)
        #expect(beginAll(&queue) == ["b/5"])
    }

    @Test func `a sender with fewer active requests is first`() throws {
        var queue = queue(2, perHost: 2)
        let slow = try (1...4).map { try pending($0, of: 7) }
        for request in slow { #expect(queue.add(request) == nil) }
        #expect(beginAll(&queue) == ["a/1", "a/2"])
        let quick = try (5...6).map { try pending($0, of: 8) }
        for request in quick + [try pending(7, of: nil)] { #expect(queue.add(request) == nil) }
        // One of the slow ones is still active, and none of the others.
        queue.end(slow[0])
        #expect(beginAll(&queue) == ["a/5"])
        queue.end(quick[0])
        #expect(beginAll(&queue) == ["a/7"])
        queue.end(slow[1])
        #expect(beginAll(&queue) == ["a/3"])
        queue.end(slow[2])
        #expect(beginAll(&queue) == ["a/6"])
        queue.end(quick[1])
        #expect(beginAll(&queue) == ["a/4"])
        #expect(queue.clear().isEmpty)
    }

    @Test func `a full queue refuses a request until another one starts`() throws {
        var queue = queue(1, perHost: 1, waiting: 2)
        for number in 0...1 { #expect(queue.add(try pending("a", number)) == nil) }
        let late = try pending("a", 2)
        let refused = queue.add(late)
        #expect(refused?.request === late && refused?.cause == .busy(waiting: 2))
        #expect(queue.begin() != nil)
        #expect(queue.add(try pending("a", 3)) == nil)
        #expect(queue.add(late)?.request === late)
        #expect(queue.goOn(try pending("b", 5)) == nil)
    }

    @Test func `senders take turns`() throws {
        var queue = queue(1, perHost: 1)
        let requests = try [(1, 7), (2, 7), (3, 7), (4, 8), (5, 8), (6, 9)].map { try pending($0, of: $1) }
        for request in requests { #expect(queue.add(request) == nil) }
        var begun: [String] = []
        while let next = queue.begin() {
            begun.append(String(next.url.text.dropFirst(10)))
            queue.end(next)
            // One that comes later waits for one of each.
            if begun.count == 2 { #expect(queue.add(try pending(7, of: 10)) == nil) }
        }
        #expect(begun == ["1", "4", "6", "2", "5", "7", "3"])
    }

    @Test func `in a full queue the sender with most loses a place`() throws {
        var queue = queue(1, perHost: 1, waiting: 4)
        let many = try (1...4).map { try pending($0, of: 7) }
        for request in many { #expect(queue.add(request) == nil) }
        let second = try pending(5, of: 8)
        #expect(queue.add(second)?.request === many[3])
        #expect(queue.add(try pending(6, of: nil))?.request === many[2])
        // Now 7 has two places, and the others one each.
        for sender in [7, 8, nil] as [UInt64?] {
            let late = try pending(7, of: sender)
            #expect(queue.add(late)?.request === late)
        }
        #expect(queue.add(try pending(8, of: 9))?.request === many[1])
        let late = try pending(9, of: 10)
        #expect(queue.add(late)?.request === late)
        #expect(beginAll(&queue) == ["a/1"])
        #expect(queue.clear().count == 3)
    }

    @Test func `expired requests are removed, and the next deadline is known`() throws {
        var queue = queue(1, perHost: 1)
        for (number, seconds) in [5, 3, 9, 3].enumerated() {
            #expect(queue.add(try pending("h\(number % 2)", number, seconds: seconds)) == nil)
        }
        #expect(queue.earliestDeadline == Self.start + .seconds(3))
        #expect(queue.expire(at: Self.start + .seconds(2.9)).isEmpty)
        #expect(queue.expire(at: Self.start + .seconds(3)).count == 2)
        #expect(queue.earliestDeadline == Self.start + .seconds(5))
        #expect(beginAll(&queue) == ["h0/0"])
        #expect(queue.expire(at: Self.start + .seconds(60)).map(\.url.text) == ["https://h0/2"])
        #expect(queue.earliestDeadline == nil)
    }

    @Test func `a closed queue refuses requests, and waiting ones can be cleared`() throws {
        var queue = queue(1, perHost: 1)
        #expect(queue.add(try pending("a", 0)) == nil)
        queue.close()
        #expect(queue.add(try pending("a", 1))?.cause == .shutDown)
        #expect(queue.goOn(try pending("a", 2)) == .shutDown)
        #expect(queue.clear().count == 1)
        #expect(queue.begin() == nil)
    }

    @Test func `a redirect keeps the deadline and drops fields at another origin`() throws {
        let limits = HTTPClientLimits(
            connectTimeout: .seconds(1), totalTimeout: .seconds(10), maxBodyBytes: 0, maxRedirects: 3)
        let origin = try HTTPClientRequest(url: OutgoingURL("https://a.test/"), limits: limits)
        let first = PendingRequest(origin, at: Self.start) { _ in }
        let second = try first.redirected(to: "https://A.test:443/x")
        #expect(second.sendsFields)
        for other in ["https://b.test/", "https://a.test:444/", "https://a.test.b.test/"] {
            let third = try second.redirected(to: other)
            #expect(!third.sendsFields)
            #expect(third.deadline == first.deadline)
            let fourth = try third.redirected(to: "https://a.test/")
            #expect(!fourth.sendsFields)
            #expect(throws: RedirectRefusal.tooMany(allowed: 3)) { try fourth.redirected(to: "https://a.test/") }
        }
    }

    @Test func `a request limited to its origin refuses redirects that leave it`() throws {
        let limits = HTTPClientLimits(
            connectTimeout: .seconds(1), totalTimeout: .seconds(10), maxBodyBytes: 0, maxRedirects: 3,
            staysAtOrigin: true)
        let origin = try HTTPClientRequest(url: OutgoingURL("https://a.test/"), limits: limits)
        let first = PendingRequest(origin, at: Self.start) { _ in }
        #expect(try first.redirected(to: "https://A.test:443/x").url.text == "https://A.test:443/x")
        for other in ["https://b.test/", "https://a.test:444/", "https://a.test.b.test/"] {
            #expect(throws: RedirectRefusal.leavesOrigin) { try first.redirected(to: other) }
        }
    }

    @Test func `a redirect goes to https, or from loopback http to loopback`() throws {
        let secure = try pending("a.test", 0)
        #expect(throws: RedirectRefusal.leavesTLS) { try secure.redirected(to: "http://localhost/") }
        #expect(throws: RedirectRefusal.badURL(.plainBeyondLoopback)) { try secure.redirected(to: "http://a.test/") }
        #expect(throws: RedirectRefusal.badURL(.otherScheme)) { try secure.redirected(to: "file:///etc/passwd") }
        let plain = PendingRequest(
            try request(OutgoingURL("http://127.0.0.1/"), redirects: 1), at: Self.start
        ) { _ in }
        #expect(try plain.redirected(to: "http://localhost/").url.host == "localhost")
        #expect(try plain.redirected(to: "https://a.test/").url.host == "a.test")
        #expect(throws: RedirectRefusal.badURL(.plainBeyondLoopback)) { try plain.redirected(to: "http://a.test/") }
    }
}
