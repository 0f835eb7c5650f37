/// What a connection does with the bytes that it receives: a proxy's header, then requests.
extension Connection {
    /// What a proxy says of whom it speaks for, up to the first request.
    func announced(_ bytes: UnsafeRawBufferPointer, on loop: EventLoop) {
        input.append(contentsOf: bytes)
        switch ProxyHeader.parse(input.span) {
        case .incomplete: return
        case .malformed: return loop.close(self)
        case .header(let header):
            if let source = header.source {
                loop.count(self, for: source)
            }
            input.removeFirst(header.length)
            guard let layers else { return perform(.proceed, on: loop) }
            begin(layers, on: loop)
        }
    }

    /// Answers the requests among bytes that have just come, and keeps the rest.
    func received(_ bytes: UnsafeRawBufferPointer, on loop: EventLoop) {
        guard input.isEmpty else {
            input.append(contentsOf: bytes)
            // A peer that sends byte by byte must not have its head parsed anew for each.
            let isWorthALook = input.count >= wantedBytes || bytes.contains(.lineFeed)
            return isWorthALook ? proceed(on: loop) : settle(.partial, on: loop)
        }
        let (consumed, progress) = answerRequests(in: bytes, on: loop)
        if consumed < bytes.count { input.append(contentsOf: bytes[consumed...]) }
        settle(progress, on: loop)
    }

    /// Goes on with what is left of earlier bytes.
    func proceed(on loop: EventLoop) {
        let bytes = input
        let (consumed, progress) = bytes.withUnsafeBytes { answerRequests(in: $0, on: loop) }
        input = consumed == bytes.count ? [] : Array(bytes[consumed...])
        settle(progress, on: loop)
    }

    /// Answers requests into the loop's output until the bytes, or what can be done with them now, come to an end.
    private func answerRequests(
        in bytes: UnsafeRawBufferPointer, on loop: EventLoop
    ) -> (consumed: Int, progress: ConnectionMachine.Progress) {
        var consumed = dropBody(bytes.count)
        while consumed < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
            switch loop.parser.parse(Span(_unsafeBytes: rest)) {
            case .incomplete:
                wantedBytes = loop.parser.nextLook(at: Span(_unsafeBytes: rest))
                return (consumed, .partial)
            case .rejection(let reason):
                refuse(reason, isHead: loop.parser.isHead(Span(_unsafeBytes: rest)), on: loop)
                return (bytes.count, .done(lingers: true))
            case .request(let head):
                machine.requestBegan()
                let progress = answer(head, in: rest, on: loop)
                consumed += head.length
                consumed += dropBody(bytes.count - consumed)
                guard progress == .idle else { return (consumed, progress) }
                // A peer that pipelines without reading is answered no further than this.
                if loop.output.count > EventLoop.outputAtOnce { return (consumed, .more) }
            }
        }
        return (consumed, bodyLeft > 0 ? .discarding : .idle)
    }

    /// How many of the bytes at hand belong to an answered request's body.
    private func dropBody(_ available: Int) -> Int {
        let dropped = min(bodyLeft, available)
        bodyLeft -= dropped
        return dropped
    }

    private func answer(
        _ head: RequestHead, in bytes: UnsafeRawBufferPointer, on loop: EventLoop
    ) -> ConnectionMachine.Progress {
        let requestID = loop.nextRequestID()
        var request = HTTPRequest(
            bytes: bytes, head: head, peer: peer.address, client: layers, requestID: requestID)
        if case .discarded(let count) = head.body { bodyLeft = count }
        var pending = PendingAnswer(head, requestID: requestID, began: loop.time.monotonic)
        if head.isTraced { pending.follow(&request, takesID: loop.settings.takesRequestID) }
        if machine.isOverLimit, !loop.application.isExemptFromLimits(request) {
            write(loop.application.refuse(.tooManyConnections), pending, persists: false, on: loop)
            return .done(lingers: true)
        }
        switch loop.application.respond(request, loop.time) {
        case .now(let response):
            let behind = bytes.count - head.length - bodyLeft
            let persists = persists(pending, behind: behind)
            write(response, pending, persists: persists, on: loop)
            return persists ? .idle : .done(lingers: lingers(pending, behind: behind))
        case let answer:
            owe(answer, to: pending, on: loop)
            return .working
        }
    }
}
