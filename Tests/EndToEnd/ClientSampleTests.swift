import TestSupport
import Foundation
import Testing

/// The client samples of the documentation, against the real daemon behind a server that refuses first.
@Suite(.blocking) struct ClientSampleTests {
    private let files: CallerFiles
    private let daemon: DaemonProcess
    private let key: String
    private let refusing: RunningClient
    private let url: String

    init() throws {
        files = try CallerFiles()
        key = try files.apiKey("app")
        daemon = try files.daemon(
            "rules: [{name: all, kinds: [consumer, driver], ids: {tripID: any, vehicleID: any}}]")
        // It answers 503 once, then asks the daemon.
        refusing = try PythonClients.start("refusing_proxy.py", [daemon.url])
        url = "http://127.0.0.1:\(try #require(refusing.firstLine))"
    }

    @Test func `the Swift sample renews its credentials, waits, and asks once for two`() throws {
        let sample = try DocumentedBlock.first("swift", under: "Plain URLSession", of: "ClientSamples").text
        let token = try SampleCompilers(files.scratch).runSwift(
            """
            \(sample)
            @main enum Sample {
                static func main() async throws {
                    let (url, key) = (URL(string: CommandLine.arguments[1])!, CommandLine.arguments[2])
                    let tokens = VehicleTokens(url: url) { fresh in fresh ? key : "expired" }
                    async let (one, other) = (tokens.token(), tokens.token())
                    let (first, second, third) = try await (one, other, tokens.token())
                    print(first == second && second == third ? first : "different tokens")
                }
            }
            """, ["\(url)/token?vehicleID=vehicle-1", key])
        try expectToken(token)
        #expect(try Curl("\(url)/facts").json()["waited"] as? Bool == true)
    }

    @Test func `the JavaScript sample renews its credentials, waits, and asks once for two`() throws {
        let sample = try DocumentedBlock.first("js", under: "JavaScript", of: "ClientSamples").text
        try expectToken(
            inBrowser: """
                \(sample)
                const fetcher = authTokenFetcher("\(url)", credentials);
                const request = () => fetcher({ context: { tripId: "trip-1" } });
                const begin = performance.now();
                const [first, second] = await Promise.all([request(), request()]);
                const isRight = first.expiresInSeconds > 60 && first.token === second.token && performance.now() - begin >= 1000;
                show(isRight ? first.token : "different tokens, or no wait");
                """)
    }

    @Test func `the React Native sample renews its credentials and keeps its token`() throws {
        let fetch = try DocumentedBlock.first("js", under: "JavaScript", of: "ClientSamples").text
        let sample = try DocumentedBlock.first("js", under: "React Native", of: "ClientSamples").text
        try expectToken(
            inBrowser: """
                \(fetch)
                \(sample.replacing("https://tokens.example.com", with: url))
                const first = await onGetToken({ vehicleId: "vehicle-1" });
                const second = await onGetToken({ vehicleId: "vehicle-1" });
                show(first === second ? first : "different tokens");
                """)
    }

    @Test func `the Kotlin sample renews its credentials, waits, and asks once for two`() throws {
        let sample = try DocumentedBlock.first("kotlin", under: "Kotlin", of: "ClientSamples").text
        let main = try String(contentsOfFile: PythonClients.path("kotlin_sample.kt"), encoding: .utf8)
        try expectToken(SampleCompilers(files.scratch).runKotlin(sample + main, [url, key]))
        #expect(try Curl("\(url)/facts").json()["waited"] as? Bool == true)
    }

    @Test func `the Objective-C sample compiles against the declarations that it uses`() throws {
        let sample = try DocumentedBlock.first("objc", under: "Objective-C", of: "ClientSamples").text
        try SampleCompilers(files.scratch).checkObjectiveC(sample)
    }

    /// Runs a module in a browser, with `credentials`, and `show` for the token.
    private func expectToken(inBrowser script: String) throws {
        let page = try files.scratch.write(
            "sample.html",
            """
            <!doctype html><title>sample</title><body>waiting<script type="module">
            const credentials = async (fresh) => fresh ? "\(key)" : "expired";
            const show = (text) => { document.body.innerText = text; };
            \(script)
            </script></body>
            """)
        // The page is a file, so its origin cannot be listed. Its clock runs as fast as it has nothing to do.
        let dom = try Browser().page(
            "file://\(page)", ["--disable-web-security", "--virtual-time-budget=60000"])
        try expectToken(String(#require(dom.firstMatch(of: /<body>(.*)<\/body>/), "\(dom)").1))
    }

    /// The token is one, and the requests were: with expired credentials, with fresh ones at a bad time, and again.
    private func expectToken(_ text: String) throws {
        #expect(text.split(separator: ".").count == 3, "\(text)")
        let facts = try Curl("\(url)/facts").json()
        #expect(facts["statuses"] as? [Int] == [401, 503, 200])
    }
}
