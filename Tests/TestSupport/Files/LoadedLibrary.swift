import Foundation
import Testing

/// A shared library of this process, whose folder differs from machine to machine.
package enum LoadedLibrary {
    package static func path(of name: String) throws -> String {
        try #require(
            try Child.mustRun(["cat", "/proc/\(getpid())/maps"]).split(separator: "\n").compactMap {
                $0.split(separator: " ").last.map(String.init)
            }.first { $0.hasSuffix("/" + name) })
    }
}
