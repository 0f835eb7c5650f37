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

    @Test func `the Swift sample keeps each vehicle's token until sign-out`() throws {
        let sample = try DocumentedBlock.first("swift", under: "Plain URLSession", of: "ClientSamples").text
        let printed = try SampleCompilers(files.scratch).runSwift(
            """
            \(sample)
            @main enum Sample {
                static func main() async throws {
                    let (base, key) = (CommandLine.arguments[1], CommandLine.arguments[2])
                    let tokens = VehicleTokens(base: base) { fresh in fresh ? key : "expired" }
                    async let (one, other) = (tokens.token(vehicleID: "vehicle-1"), tokens.token(vehicleID: "vehicle-1"))
                    let (first, same) = try await (one, other)
                    let second = try await tokens.token(vehicleID: "vehicle-2")
                    let again = try await tokens.token(vehicleID: "vehicle-1")
                    await tokens.signOut()
                    _ = try await tokens.token(vehicleID: "vehicle-1")
                    print(first == same && first == again ? "\\(first)\\n\\(second)" : "different tokens")
                }
            }
            """, [url, key])
        try expectTokensOfTwoVehicles(printed)
        #expect(try Curl("\(url)/facts").json()["waited"] as? Bool == true)
    }

    @Test func `the JavaScript sample renews its credentials, waits, and asks once for two`() throws {
        let sample = try DocumentedBlock.first("js", under: "JavaScript", of: "ClientSamples").text
        let text = try shown(
            inBrowser: """
                \(sample)
                const fetcher = authTokenFetcher(new FleetTokens("\(url)", credentials));
                const request = () => fetcher({ context: { tripId: "trip-1" } });
                const begin = performance.now();
                const [first, second] = await Promise.all([request(), request()]);
                const isRight = first.expiresInSeconds > 60 && first.token === second.token && performance.now() - begin >= 1000;
                show(isRight ? first.token : "different tokens, or no wait");
                """)
        #expect(text.split(separator: ".").count == 3, "\(text)")
        #expect(try statuses() == [401, 503, 200])
    }

    @Test func `the React Native sample keeps each vehicle's token until sign-out`() throws {
        let fetch = try DocumentedBlock.first("js", under: "JavaScript", of: "ClientSamples").text
        let sample = try DocumentedBlock.first("js", under: "React Native", of: "ClientSamples").text
        let text = try shown(
            inBrowser: """
                \(fetch)
                \(sample.replacing("https://tokens.example.com", with: url))
                const ask = (vehicleId) => onGetToken({ vehicleId });
                const [first, same] = await Promise.all([ask("vehicle-1"), ask("vehicle-1")]);
                const other = await ask("vehicle-2");
                const again = await ask("vehicle-1");
                tokens.signOut();
                await ask("vehicle-1");
                show(first === same && first === again ? `${first} ${other}` : "different tokens");
                """)
        try expectTokensOfTwoVehicles(text)
    }

    @Test func `the React Native sample fails calls that wait at sign-out`() throws {
        let fetch = try DocumentedBlock.first("js", under: "JavaScript", of: "ClientSamples").text
        let text = try shown(
            inBrowser: """
                \(fetch)
                const tokens = new FleetTokens("\(url)", credentials);
                const waiting = tokens.token("/token/driver/vehicle-1").catch((error) => error.message);
                tokens.signOut();
                show(await waiting);
                """)
        #expect(text == "signed out")
    }

    @Test func `the Kotlin sample keeps each vehicle's token until sign-out`() throws {
        let sample = try DocumentedBlock.first("kotlin", under: "Kotlin", of: "ClientSamples").text
        let main = try String(contentsOfFile: PythonClients.path("kotlin_sample.kt"), encoding: .utf8)
        try expectTokensOfTwoVehicles(SampleCompilers(files.scratch).runKotlin(sample + main, [url, key]))
        #expect(try Curl("\(url)/facts").json()["waited"] as? Bool == true)
    }

    @Test func `the Objective-C sample compiles against the declarations that it uses`() throws {
        let sample = try DocumentedBlock.first("objc", under: "Objective-C", of: "ClientSamples").text
        try SampleCompilers(files.scratch).checkObjectiveC(sample)
    }

    /// What a module in a browser shows; it has `credentials`, and `show` for its text.
    private func shown(inBrowser script: String) throws -> String {
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
        return try String(#require(dom.firstMatch(of: /<body>(.*)<\/body>/), "\(dom)").1)
    }

    private func statuses() throws -> [Int]? { try Curl("\(url)/facts").json()["statuses"] as? [Int] }

    /// Two tokens, and the requests for them: of the first vehicle with expired credentials, with fresh ones at a bad time, and
    /// again; of the second; and of the first after the sign-out. What was cached was not asked for.
    private func expectTokensOfTwoVehicles(_ text: String) throws {
        let tokens = text.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(tokens.count == 2, "\(text)")
        for (token, vehicle) in zip(tokens, ["vehicle-1", "vehicle-2"]) {
            let authorization = try JSONWebToken.claims(of: token)["authorization"] as? [String: String]
            #expect(authorization == ["vehicleid": vehicle])
        }
        #expect(try statuses() == [401, 503, 200, 401, 200, 401, 200])
    }
}
