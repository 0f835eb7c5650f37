import Foundation
import TokenProviderClient

/// An app that follows commands.
actor ScriptedApp {
    struct UnknownCommand: Error {}

    private let clock = ShiftedClock()
    private var url: URL?
    private var client: TokenProviderClient?
    private var credentials: [String] = []

    /// Runs a command; its report, if it has one.
    func run(_ command: String, _ words: [String]) async throws -> Report? {
        switch (command, words.count) {
        case ("url", 1):
            url = URL(string: words[0])
            client = nil
        case ("credentials", 1...):
            credentials = words
        case ("advance", 1): clock.advance(by: Double(words[0]) ?? 0)
        case ("invalidate", 1):
            let subject = try subject(words[0])
            await tokens()?.invalidate(subject)
        case ("ask", 3): return try await ask(words)
        case ("pass", 4):
            guard let client = tokens() else { throw UnknownCommand() }
            let time = PassingTime(client: client, clock: clock, file: words[3])
            return try await time.ask(for: subject(words[0]), Int(words[1]) ?? 0, every: Double(words[2]) ?? 0)
        default: throw UnknownCommand()
        }
        return nil
    }

    private func tokens() -> TokenProviderClient? {
        guard client == nil, let url else { return client }
        client = TokenProviderClient(url: url, clock: clock.clock, transport: TokenProviderClient.session()) {
            await self.bearer(wereRefused: $0)
        }
        return client
    }

    private func bearer(wereRefused: Bool) -> String {
        if wereRefused && credentials.count > 1 { credentials.removeFirst() }
        return credentials.first ?? ""
    }

    private func subject(_ word: String) throws -> FleetEngineSubject {
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.last) {
        case ("trip", let id?): return .trip(id)
        case ("vehicle", let id?): return .vehicle(id)
        default: throw UnknownCommand()
        }
    }

    private func ask(_ words: [String]) async throws -> Report {
        guard let client = tokens() else { throw UnknownCommand() }
        let (subject, seconds) = (try subject(words[0]), Double(words[2]) ?? 0)
        return await withTaskGroup(of: Result<FleetEngineAccessToken, any Error>.self) { group in
            for _ in 0..<(Int(words[1]) ?? 0) {
                group.addTask {
                    do { return .success(try await client.token(for: subject, within: seconds)) } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: Report()) { $0.add($1) }
        }
    }
}

extension Report {
    mutating func add(_ result: Result<FleetEngineAccessToken, any Error>) {
        switch result {
        case .success(let token):
            served += 1
            if !tokens.contains(token.string) { tokens.append(token.string) }
        case .failure(let error):
            let problem = (error as? TokenProviderError)?.problem
            let text = problem.map { "\($0.status) \($0.code)" } ?? "\(error)"
            if !errors.contains(text) { errors.append(text) }
        }
    }
}
