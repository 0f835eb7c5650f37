import FleetEngineToken
import Testing

@testable import TokenService

@Suite struct TokenPathTests {
    /// The kind, format and id of a path, or the code of the refusal.
    private func outcome(_ path: String) -> String {
        let bytes = Array(path.utf8)
        do throws(TokenProblem) {
            let path = try TokenPath(bytes.span)
            let id = path.id.map { "id=\(String(decoding: bytes[$0], as: UTF8.self))" } ?? "-"
            return "\(path.kind?.rawValue ?? "-") \(path.format?.rawValue ?? "-") \(id)"
        } catch {
            return error.code
        }
    }

    @Test(arguments: [
        ("/token", "- - -"), ("/token/", "- - -"),
        ("/token/consumer/t", "consumer - id=t"), ("/token/consumer/t/", "consumer - id=t"),
        ("/token/driver/v%201", "driver - id=v%201"), ("/token/driver", "driver - -"), ("/token/driver/", "driver - -"),
        ("/token/driver//", "driver - id="),
        ("/token/delivery_driver/v", "untrusted_delivery_driver - id=v"),
        ("/token/delivery_consumer/s", "delivery_consumer - id=s"), ("/token/fleet_reader", "fleet_reader - -"),
        ("/token/fleet_reader/", "fleet_reader - -"), ("/token/task_batch/a,b", "task_batch - id=a,b"),
        ("/token/android/driver/v", "driver android id=v"), ("/token/android/driver/v/", "driver android id=v"),
        ("/token/sdk/consumer", "consumer sdk -"), ("/token/driver/android", "driver - id=android"),
        ("/token/driver/..", "driver - id=.."), ("/token/driver/.", "driver - id=."),
    ])
    func `a path names an optional format, a kind and an id`(path: String, expected: String) {
        #expect(outcome(path) == expected)
    }

    @Test(arguments: [
        ("/token//", "unknown_kind"), ("/token//driver/v", "unknown_kind"), ("/token/Driver/v", "unknown_kind"),
        ("/token/drive/v", "unknown_kind"), ("/token/drivers/v", "unknown_kind"), ("/token/%64river/v", "unknown_kind"),
        ("/token/android", "unknown_kind"), ("/token/android/", "unknown_kind"), ("/token/android/v", "unknown_kind"),
        ("/token/android/sdk/driver/v", "unknown_kind"), ("/token/../driver/v", "unknown_kind"),
        ("/token/driver/v/x", "unknown_path"), ("/token/driver/v//", "unknown_path"),
        ("/token/driver/../v", "unknown_path"), ("/token/driver//v", "unknown_path"),
    ])
    func `any other path is unknown, and nothing in it is resolved`(path: String, code: String) {
        #expect(outcome(path) == code)
    }

    @Test func `every kind has its path and its logged route`() {
        for kind in TokenKind.allCases {
            #expect(outcome("/token/\(kind.rawValue)/x") == "\(kind.rawValue) - id=x")
            let bytes = Array("/token/\(kind.rawValue)/secret".utf8)
            let route = try? TokenPath(bytes.span).route
            #expect(route == "/token/\(kind.rawValue)\(kind.isWildcard ? "" : "/{id}")")
        }
    }

    @Test(arguments: [
        ("/token/rider/secret", "/token/rider…"), ("/token/rider", "/token/rider"), ("/token/rider/", "/token/rider…"),
        ("/token/android/rider/secret", "/token/android/rider…"), ("/token/android", "/token/android"),
        ("/token//driver/secret", "/token/…"), ("/token/%64river/secret", "/token/%64river…"),
    ])
    func `a logged unknown path includes the kind but not the rest`(path: String, route: String) {
        let bytes = Array(path.utf8)
        #expect(outcome(path) == "unknown_kind")
        #expect(IDLabel.plain.path(bytes.span, to: TokenPath.endOfUnknownKind(bytes.span)) == route)
    }

    @Test func `a logged path is cut after 128 bytes`() {
        let longest = Array(("/" + String(repeating: "a", count: 127)).utf8)
        #expect(IDLabel.plain.path(longest.span, to: 128) == String(decoding: longest, as: UTF8.self))
        let longer = longest + [0x62]
        #expect(IDLabel.plain.path(longer.span, to: 129) == String(decoding: longest, as: UTF8.self) + "…")
    }

    @Test func `no format has the name of a kind`() {
        let kinds = TokenKind.allCases.map(\.rawValue) + ["delivery_driver"]
        #expect(Set(kinds).isDisjoint(with: AnswerFormat.allCases.map(\.rawValue)))
    }
}
