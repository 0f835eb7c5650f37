import Concurrency
import FleetEngineToken
import OpenSSLCrypto
import StrictJSON

@testable import GoogleCredentials
@testable import HTTPClient

/// IAM Credentials and the published keys of one account, with a real key and with faults, without a network.
final class LoopbackGoogle: Sendable {
    indirect enum Reply: Sendable {
        /// Signs what was asked.
        case sign
        /// Signs with changes.
        case signing(Changes)
        case answer(status: Int, fields: [(String, String)] = [], body: String)
        case failure(HTTPClientError.Cause)
        /// Never answers; the published keys are answered when held ones are released.
        case hold
        /// Answers when held ones are released.
        case deferred(Reply)
    }

    struct Changes: Sendable {
        var alg = "RS256"
        var typ: String? = "JWT"
        var kid = "key-0"
        var keyID = "key-0"
        var key = 0
        /// A member to add to the header.
        var header: String?
        var claims: @Sendable (String) -> String = { $0 }
        var signed: @Sendable (String) -> String = { $0 }
        var contentType = "application/json; charset=UTF-8"
    }

    private struct State {
        var replies: [Reply] = []
        var keyReplies: [Reply] = []
        var requests: [HTTPClientRequest] = []
        var keyRequests = 0
        var published = [0]
        var cacheControl: String?
        var held: [@Sendable () -> Void] = []
    }

    static let account = "driver-tokens@my-fleet.iam.gserviceaccount.com"
    private static let shared = Result { try (0..<2).map { _ in try RSAPrivateKey.generate() } }

    private let privateKeys: [RSAPrivateKey]
    private let state = Guarded(State())

    init() throws { privateKeys = try Self.shared.get() }

    /// What is answered next, in order; afterwards everything is signed.
    func reply(_ replies: Reply...) { state.withLock { $0.replies += replies } }
    func replyKeys(_ replies: Reply...) { state.withLock { $0.keyReplies += replies } }
    /// Publishes the keys with these indices.
    func publish(_ keys: Int..., cacheControl: String? = nil) {
        state.withLock { ($0.published, $0.cacheControl) = (keys, cacheControl) }
    }

    /// The published set of these keys, all with the id of the first.
    func namesakes(_ keys: Int...) throws -> String {
        let keys = try keys.map { (keyID: "key-0", publicKey: try privateKeys[$0].publicKey()) }
        return String(decoding: try JWKSet.render(keys), as: UTF8.self)
    }

    var requests: [HTTPClientRequest] { state.withLock { $0.requests } }
    var keyRequests: Int { state.withLock { $0.keyRequests } }
    func releaseHeld() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for body in held { body() }
    }

    private typealias Completion = @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void

    var send: HTTPSend {
        { request throws(HTTPClientError) in
            try await withUnsafeContinuation { continuation in
                self.answer(request) { continuation.resume(returning: $0) }
            }.get()
        }
    }

    private func answer(_ request: HTTPClientRequest, _ completion: @escaping Completion) {
        guard case .post(let body) = request.method else { return sendKeys(request, completion) }
        let reply = state.withLock { state in
            state.requests.append(request)
            return state.replies.isEmpty ? .sign : state.replies.removeFirst()
        }
        switch reply {
        case .sign: completion(Result { try signed(body, Changes()) }.mapError(Self.unexpected))
        case .signing(let changes): completion(Result { try signed(body, changes) }.mapError(Self.unexpected))
        default: answer(reply, request, completion)
        }
    }

    private func sendKeys(_ request: HTTPClientRequest, _ completion: @escaping Completion) {
        let reply = state.withLock { state -> Reply in
            state.keyRequests += 1
            return state.keyReplies.isEmpty ? .sign : state.keyReplies.removeFirst()
        }
        switch reply {
        case .sign, .signing: completion(Result { try keySet() }.mapError(Self.unexpected))
        case .hold:
            state.withLock { state in
                state.held.append { completion(Result { try self.keySet() }.mapError(Self.unexpected)) }
            }
        default: answer(reply, request, completion)
        }
    }

    private func answer(_ reply: Reply, _ request: HTTPClientRequest, _ completion: @escaping Completion) {
        switch reply {
        case .answer(let status, let fields, let body):
            let fields = fields.isEmpty ? [("content-type", "application/json")] : fields
            completion(
                Result { try Self.response(status, fields, Array(body.utf8)) }.mapError(Self.unexpected))
        case .failure(let cause):
            completion(.failure(HTTPClientError(endpoint: request.url.endpoint, cause: cause)))
        case .deferred(let later):
            state.withLock { state in state.held.append { self.answer(later, request, completion) } }
        case .sign, .signing, .hold: break
        }
    }

    static func response(_ status: Int, _ fields: [(String, String)], _ body: [UInt8]) throws -> HTTPClientResponse {
        HTTPClientResponse(
            status: status, fields: try fields.map { try HTTPClientField($0.0, $0.1) },
            body: HTTPClientBody(body, isProven: true))
    }

    private static func unexpected(_ error: any Error) -> HTTPClientError {
        HTTPClientError(endpoint: "test", cause: .other(reason: "\(error)"))
    }

    private func keySet() throws -> HTTPClientResponse {
        let (published, cacheControl) = state.withLock { ($0.published, $0.cacheControl) }
        let keys = try published.map { (keyID: "key-\($0)", publicKey: try privateKeys[$0].publicKey()) }
        let fields =
            [("content-type", "application/json; charset=UTF-8")] + (cacheControl.map { [("cache-control", $0)] } ?? [])
        return try Self.response(200, fields, try JWKSet.render(keys))
    }

    private func signed(_ body: [UInt8], _ changes: Changes) throws -> HTTPClientResponse {
        guard case .object(let members) = try JSONValue(parsing: body), case .string(let payload) = members["payload"]
        else { return try Self.response(400, [], []) }
        var header = #"{"alg":"\#(changes.alg)","kid":"\#(changes.kid)""#
        if let typ = changes.typ { header += #","typ":"\#(typ)""# }
        if let more = changes.header { header += "," + more }
        var input = Base64URL.encode(Array((header + "}").utf8)) + [UInt8(ascii: ".")]
        Base64URL.append(Array(changes.claims(payload).utf8), to: &input)
        let jwt = input + [UInt8(ascii: ".")] + Base64URL.encode(try privateKeys[changes.key].sign(input))
        let text = changes.signed(String(decoding: jwt, as: UTF8.self))
        var json = JSONWriter()
        json.object {
            $0.member("keyId", changes.keyID)
            $0.member("signedJwt", text)
        }
        return try Self.response(200, [("content-type", changes.contentType)], json.bytes)
    }
}
