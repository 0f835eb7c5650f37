import CLinux
import Glibc

/// What this process was started with: its variables and arguments.
package enum Environment {
    /// Each variable by its name. Call it while no other thread changes variables.
    package static func variables() -> [String: String] {
        var variables: [String: String] = [:]
        for text in texts(clinux_environment()) {
            let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
        }
        return variables
    }

    /// The arguments without the program's name.
    package static func arguments() -> [String] { Array(texts(clinux_arguments()).dropFirst()) }

    /// The texts of a list that ends with a null pointer; none without a list.
    private static func texts(_ list: UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> [String] {
        var (texts, next) = ([String](), list)
        while let text = next?.pointee {
            texts.append(String(cString: text))
            next = next?.successor()
        }
        return texts
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
