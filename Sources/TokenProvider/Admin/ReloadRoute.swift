import FleetEngineToken
import HTTPServer
import StrictJSON
import TokenService

/// `POST /reload` of the admin listener: reads the files anew, as SIGHUP does, and tells what came of it.
///
/// Whoever reaches the listener may ask, but no web page in a browser that does: a page can neither send the field without
/// the browser asking first, which is refused, nor be of this origin without saying so (Fetch Standard section 3.2).
struct ReloadRoute: Sendable {
    /// The field without which nobody is heard, and its value.
    static let field = (name: "Token-Provider-Request", value: "reload")

    let reloader: Reloader
    /// Reloads, and calls back with the outcome.
    let reload: @Sendable (@escaping Reloader.Ended) -> Void

    func answer(to request: borrowing HTTPRequest) -> HTTPAnswer {
        let route = AdminPath.reload.rawValue
        guard request.method == .post else {
            return .now(ProblemAnswer.answer(.methodNotAllowed(allowed: HTTPMethod.post.rawValue), route: route))
        }
        guard request.field("token-provider-request") == Self.field.value, request.values(of: "origin").isEmpty else {
            return .now(ProblemAnswer.answer(.reloadFieldMissing, route: route))
        }
        return .promise { promise in
            reload { outcome in promise.give { _ in .now(Self.response(outcome)) } }
        }
    }

    private static func response(_ outcome: ReloadOutcome) -> HTTPResponse {
        var json = JSONWriter()
        json.object { json in
            json.member("reloaded", outcome.failure == nil)
            outcome.write(to: &json)
        }
        let status: HTTPStatus = outcome.failure == nil ? .ok : .internalServerError
        return AdminDocuments.response(.reload, json.bytes, status: status)
    }
}

extension ReloadOutcome {
    /// Writes why the former state is in force, and what waits for the next start, where there is any.
    func write(to json: inout JSONWriter) {
        for (name, sentences) in [("reload_errors", failure ?? []), ("restart_for", later)] where !sentences.isEmpty {
            json.key(name)
            json.array { json in
                for sentence in sentences { json.value(sentence) }
            }
        }
    }
}
