import Foundation
import Testing

/// The samples of `/metrics` by name and labels, such as `name{label="value"}`.
struct Scrape {
    let text: String
    private let samples: [String: Double]

    /// Scrapes an admin listener in Prometheus's text format.
    init(_ admin: String) throws {
        text = try Curl("\(admin)/metrics").body
        var samples: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let space = try #require(line.lastIndex(of: " "))
            let value: Double = try #require(Double(String(line[line.index(after: space)...])), "\(line)")
            samples[String(line[..<space])] = value
        }
        self.samples = samples
    }

    /// The sample of a name, with or without the prefix `token_provider_`; nil if there is none.
    subscript(name: String) -> Double? { samples["token_provider_\(name)"] ?? samples[name] }

    /// The sum of a metric's samples that have all these labels, written as `label="value"`.
    func sum(_ name: String, _ labels: String...) -> Double {
        samples.filter { sample in
            sample.key.hasPrefix("token_provider_\(name){") && labels.allSatisfy { sample.key.contains($0) }
        }.values.reduce(0, +)
    }

    var count: Int { samples.count }
}
