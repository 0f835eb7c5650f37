import Dispatch
import HTTPServer
import OpenSSLSigner
import ServiceConfiguration
import StrictJSON
import SystemFiles
import TokenInspection
import TokenService

/// The console of the admin listener: its page, its data, and two questions that the commands `inspect` and `explain`
/// answer too. It never mints a token, and logs nothing of what is asked.
struct ConsoleRoute: Sendable {
    private enum Path: String {
        case data = "/console/data.json"
        case inspect = "/console/inspect"
        case explain = "/console/explain"
    }

    let data: ConsoleData
    /// Takes the questions: a decision may wait for the back end.
    private let queue = DispatchQueue(label: "console")

    /// Nil if the console is off or nothing listens for operators. Starts taking samples.
    init?(_ metrics: DaemonMetrics, _ values: Configuration, configuredBy file: String?) {
        guard values.servesConsole else { return nil }
        let history = ConsoleHistory { ConsoleSample(metrics, at: .now()).values }
        data = ConsoleData(metrics: metrics, history: history, file: file.map(RealPath.absolute))
        history.start()
    }

    /// The answer at a path of the console; nil at any other path.
    func answer(to request: borrowing HTTPRequest) -> HTTPAnswer? {
        switch Path(rawValue: request.path) {
        case nil: return WebPages.console.answer(to: request).map(HTTPAnswer.now)
        case .data: return answerWithData(to: request)
        case .inspect:
            return answer(to: request, .inspect, as: "inspect") { input, state in
                let report = InspectionReport(
                    of: input, at: Int64(SystemClock.now().tv_sec), keys: state.ownKeys, cure: RequestOutcome.cure,
                    issuer: state.configuration.issuers.name)
                return Self.response(.inspect, Array(report.json.utf8))
            }
        case .explain:
            return answer(to: request, .explain, as: "explain") { input, state in
                do throws(TokenProblem) {
                    let explanation = try ConsoleQuestion(parsing: input).explanation(by: state)
                    return Self.response(.explain, Array(explanation.json.utf8))
                } catch {
                    return ProblemAnswer.answer(error, route: Path.explain.rawValue)
                }
            }
        }
    }

    private func answerWithData(to request: borrowing HTTPRequest) -> HTTPAnswer {
        guard request.method.reads else { return Self.refusal(allowing: HTTPMethod.readingNames, .data) }
        let query = request.withQuery { query in query.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
        let after = query.flatMap { Int64($0.trimmingPrefix("after=")) } ?? -1
        return .afterWork { [data] time in .now(Self.response(.data, data.json(after: after, at: time))) }
    }

    /// The answer to a question, which is found on a thread of its own.
    private func answer(
        to request: borrowing HTTPRequest, _ path: Path, as name: String,
        _ find: @escaping @Sendable ([UInt8], ServingState) -> HTTPResponse
    ) -> HTTPAnswer {
        guard request.method == .post else { return Self.refusal(allowing: HTTPMethod.post.rawValue, path) }
        guard OperatorRequest.isMeant(request, as: name) else {
            return .now(ProblemAnswer.answer(.consoleHeaderMissing, route: path.rawValue))
        }
        // A header in base64url, since the server reads no bodies.
        let input = request.field("token-provider-input").flatMap { try? Base64URL.decode($0.utf8) } ?? []
        let state = data.metrics.state
        return .later { [queue] promise in
            queue.async {
                let response = find(input, state)
                promise.give { _ in .now(response) }
            }
        }
    }

    private static func refusal(allowing methods: String, _ path: Path) -> HTTPAnswer {
        .now(ProblemAnswer.answer(.methodNotAllowed(allowed: methods), route: path.rawValue))
    }

    private static func response(_ path: Path, _ json: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: .ok, fields: .unstored("application/json"), body: json,
            annotation: HTTPAnnotation(route: path.rawValue))
    }
}

extension ServingState {
    /// The keys that sign tokens here or at Google; nil if there are none yet. Tokens of other accounts have others.
    fileprivate var ownKeys: KeyFile? {
        guard let set = try? VerificationKeys(content: keySet, source: "the daemon") else { return nil }
        return KeyFile(
            place: "the daemon's JWK set", isSet: true, keys: set.keys, account: nil, skipped: set.skipped,
            isPartial: true)
    }
}
