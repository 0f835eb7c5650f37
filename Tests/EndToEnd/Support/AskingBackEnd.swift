import Foundation
import Testing

/// A test whose daemon sends forward_auth requests to a scripted back end.
protocol AskingBackEnd {
    var files: OperatorFiles { get }
    var backEnd: BackEnd { get }
}

extension AskingBackEnd {
    /// A daemon that lets the back end decide about every caller of the kinds that `riders` lists.
    func daemon(_ settings: String = "", rules: String = "", more: String = "") throws -> DaemonProcess {
        let path = try configuration(settings, rules: rules, more: more)
        return try DaemonProcess(["serve", "--config", path], scratch: files.scratch)
    }

    func configuration(_ settings: String, rules: String, more: String) throws -> String {
        try files.configuration(
            """
            listen: 127.0.0.1:0
            credentials: \(files.key.path)
            kinds: {enabled: [consumer, driver, task_batch, server], server: {credentials: \(files.key.path)}}
            forward_auth: {url: "\(backEnd.url)"\(settings.isEmpty ? "" : ", \(settings)")}
            rules:
              - {name: riders, kinds: [consumer, driver, task_batch], forward_auth: true}
            \(rules)
            \(more)
            """)
    }

    func ask(
        _ daemon: DaemonProcess, _ query: String, as bearer: String? = "caller-canary", _ arguments: [String] = []
    ) throws -> Curl {
        let fields = bearer.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
        return try Curl("\(daemon.url)/token?\(query)", fields + arguments)
    }

    func code(_ answer: Curl) throws -> String? { try answer.json()["code"] as? String }

    /// Creates an API key named dispatch and writes its line to the file `api-keys`.
    func apiKey() throws -> String {
        let lines = try files.run(["api-key", "new", "dispatch"]).output.split(separator: "\n")
        try files.scratch.write("api-keys", try #require(lines.first { $0.hasPrefix("dispatch ") }) + "\n")
        return String(try #require(lines.first { $0.hasPrefix("tpk_") }))
    }
}
