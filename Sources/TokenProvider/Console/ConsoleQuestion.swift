import CallerAccess
import FleetEngineToken
import HTTPServer
import ServiceConfiguration
import StrictJSON
import TokenService

/// What the console asks `explain` about: an object with `kind`, `ids` by the names of query parameters, and `token`, or
/// `api_key` with the name of an API key.
struct ConsoleQuestion {
    private enum Caller {
        case credentials(CallerCredentials)
        case apiKey(named: String)
    }

    private let claims: PrivateClaims
    private let caller: Caller

    /// Reads the object. A member that is missing or of another type counts as not given.
    init(parsing text: [UInt8]) throws(TokenProblem) {
        let json = (try? JSONValue(parsing: text)) ?? .null
        var ids = RequestedIDs()
        for parameter in IDParameter.allCases {
            guard let id = json["ids"]?[JSONName(parameter.name)]?.text else { continue }
            try ids.add(parameter, Array(id.utf8), place: parameter.name)
        }
        claims = try ids.takeClaims(of: json["kind"]?.text.flatMap(TokenKind.init(rawValue:)))
        if let name = json["api_key"]?.text {
            caller = .apiKey(named: name)
        } else if let token = json["token"]?.text, !token.isEmpty {
            caller = .credentials(CallerCredentials(pasted: Array(token.utf8)))
        } else {
            caller = .credentials(.none)
        }
    }

    /// The decision of a serving state. May wait for the back end.
    func explanation(by state: ServingState) -> Explanation {
        let gate = state.callers.gate
        let absence = state.configuration.absence(ofUnserved: claims.kind)
        switch caller {
        case .credentials(let credentials): return Explanation(claims, by: credentials, gate, absence)
        case .apiKey(let name):
            return Explanation(claims, showing: ShownFields(beside: .none), absence) { (now) throws(CallerRefusal) in
                gate.caller(known: try state.callers.principal(ofKeyNamed: name, at: now.epochSeconds))
            }
        }
    }
}

extension CallerSetup {
    fileprivate func principal(ofKeyNamed name: String, at now: Int64) throws(CallerRefusal) -> Principal {
        guard let apiKeys else { throw CallerRefusal(.invalidCredentials, "api_keys.file is not configured") }
        do { return try apiKeys.principal(ofKeyNamed: name, at: now) } catch {
            throw CallerRefusal(.invalidCredentials, error.sentence)
        }
    }
}
