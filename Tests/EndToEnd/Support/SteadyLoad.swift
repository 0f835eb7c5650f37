import TestSupport
import Foundation
import Testing

/// Clients that ask for the same tokens all the time (`steady_load.py`).
struct SteadyLoad {
    private let process: Child
    private let output: OutputPipe
    private let stop: String
    private let scratch: Scratch

    /// Returns once the clients are answered.
    init(on daemon: DaemonProcess, clients: Int = 4) throws {
        scratch = daemon.scratch
        stop = "stop-\(UUID().uuidString)"
        output = try OutputPipe()
        process = try Child(
            [
                "python3", PythonClients.path("steady_load.py"), "127.0.0.1", daemon.port, "\(clients)",
                scratch.path(stop),
            ],
            output: .pipe(output))
        #expect(try output.read { $0.contains("\n") } == "answered\n")
    }

    /// Ends the load. Every request must have had the answer 200.
    func expectNoFailure() throws {
        try scratch.write(stop, "")
        let facts = try #require(
            try JSONSerialization.jsonObject(with: Data(output.read().utf8)) as? [String: Any])
        for name in ["answered_otherwise", "lost", "refused"] { #expect(facts[name] as? Int == 0, "\(facts)") }
        #expect(try #require(facts["answered"] as? Int) > 100)
        #expect(try process.wait() == 0)
    }
}
