import Glibc

/// The variables of this process.
package enum Environment {
    /// Each variable by its name. Call it while no other thread changes variables.
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

/// The clock for the time of day. It can be set, so do not measure durations with it.
package enum SystemClock {
    /// Now, in seconds and nanoseconds since the epoch.
    package static func now() -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time
    }
}
