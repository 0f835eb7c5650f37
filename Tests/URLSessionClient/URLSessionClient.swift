import Foundation
import FoundationNetworking

/// Fetches a URL by `URLSession` and prints the status and the body, or why there is none.
@main enum TokenRequests {
    static func main() async {
        guard let url = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else { return }
        do {
            let (body, response) = try await URLSession(configuration: .ephemeral).data(from: url)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            print(status, String(decoding: body, as: UTF8.self))
        } catch {
            print("failed: \(error)")
        }
    }
}
