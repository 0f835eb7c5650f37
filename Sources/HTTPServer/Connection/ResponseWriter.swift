/// What a response's bytes depend on besides the response.
struct ResponseContext {
    /// Only the body's length is sent, without the body (RFC 9110 section 9.3.2).
    var isHead: Bool
    var isVersion10: Bool
    var isPersistent: Bool
    var requestID: UInt64
}

extension OutputBuffer {
    /// A whole response (RFC 9112 section 4): a status line, headers, an empty line, a body.
    func append(
        _ response: HTTPResponse, _ context: ResponseContext, at date: HTTPDate, givenID: String? = nil
    ) {
        if response.status == .ok {
            append(date.okHead)
        } else {
            appendStatus(response.status)
            append(date.fields)
        }
        if let givenID { append(Array(givenID.utf8)) } else { append(hexadecimal: context.requestID) }
        appendFields(response)
        appendConnection(context)
        if !context.isHead, response.status != .noContent { append(response.body) }
    }

    private func appendStatus(_ status: HTTPStatus) {
        append("HTTP/1.1 ")
        append(status.rawValue)
        append(" ")
        append(status.phrase)
        append("\r\n")
    }

    /// The response's own, and its length; a 204 has no content, and so no length of it (RFC 9110 section 8.6). The end
    /// of the last one is not given.
    private func appendFields(_ response: HTTPResponse) {
        guard response.status == .noContent else {
            append(response.fields.untilLength)
            append(response.body.count)
            return
        }
        append(Array((Array("\r\n".utf8) + response.fields.bytes).dropLast(2)))
    }

    /// 1.1 persists by default, 1.0 only if the answer says so (RFC 9112 section 9.3).
    private func appendConnection(_ context: ResponseContext) {
        if !context.isPersistent {
            append("\r\nConnection: close\r\n\r\n")
        } else if context.isVersion10 {
            append("\r\nConnection: keep-alive\r\n\r\n")
        } else {
            append("\r\n\r\n")
        }
    }
}
