import StrictYAML

/// How similar two words are, for "did you mean".
package enum EditDistance {
    /// The word of `candidates` that `word` most likely means; nil if none is similar.
    package static func nearest(to word: String, in candidates: [String]) -> String? {
        let limit = max(1, min(3, word.count / 3))
        let near = candidates.lazy
            // The difference of length is a lower bound; it keeps a very long word cheap.
            .filter { abs($0.count - word.count) <= limit }
            .map { (candidate: $0, distance: distance(word, $0)) }
            .filter { $0.distance <= limit }
        return near.min { $0.distance < $1.distance }?.candidate
    }

    /// The question that names the most similar of `candidates`; nil if none is similar.
    package static func question(about word: String, in candidates: [String]) -> String? {
        nearest(to: word, in: candidates).map { near in
            let hint =
                near == word + "/" ? ", with the last slash" : near + "/" == word ? ", without the last slash" : ""
            return "did you mean \(QuotedText(near, limit: near.unicodeScalars.count))\(hint)?"
        }
    }

    /// The least number of insertions, deletions, replacements and swaps of neighbours between `left` and `right`,
    /// no part edited twice (optimal string alignment), upper and lower case taken as equal.
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.lowercased()), Array(right.lowercased()))
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
