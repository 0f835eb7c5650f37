import Glibc

/// The variables of this process.
package enum Environment {
    /// Each variable by its name; read it while no other thread changes them.
    package static func variables() -> [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let text = next.pointee {
            let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
            next += 1
        }
        return variables
    }
}
