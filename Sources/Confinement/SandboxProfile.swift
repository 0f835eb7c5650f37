/// What a process can still do once it has confined itself.
package struct SandboxProfile: Sendable, Equatable {
    /// The rights of folders, with everything below them, and of files, by their paths; nil limits writing in /proc alone.
    package var places: [String: FileRights]?
    /// The TCP ports on which it may listen; nil does not limit them.
    package var ports: Set<UInt16>? = []
    /// Whether it may connect to abstract unix sockets of other processes (unix(7)).
    package var usesAbstractSockets = false
    /// The system calls that it may make.
    package var calls = Calls.daemon
    /// What the daemon needs besides.
    package var needs: Needs = []

    /// Calls that only some configurations need, with the bits of `clinux_needs`.
    package struct Needs: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Unix sockets to listen at.
        package static let unixStreams = Needs(rawValue: 1)
        /// Unix sockets of syslog and the journal.
        package static let unixDatagrams = Needs(rawValue: 2)
        /// All that a module for keys in hardware may need.
        package static let module: Needs = [unixStreams, unixDatagrams, Needs(rawValue: 4)]
    }

    package enum Calls: Sendable {
        /// All that the daemon needs.
        case daemon
        /// To read files, start processes, but no programs, and end processes. It opens no sockets and changes no files.
        case loading
        /// To compute, and to use the sockets that it has.
        case signing
    }

    package init(places: [String: FileRights]?) { self.places = places }

    /// Adds rights of a place.
    package mutating func allow(_ rights: FileRights, at place: String) {
        places?[place, default: []].formUnion(rights)
    }

    /// Whether a file, or one that replaces it, is in one of the places or below.
    package func includes(_ path: String) -> Bool {
        let found = PathPlaces.leading(to: path).map { $0.split(separator: "/") }
        return (places ?? [:]).keys.contains { place in
            found.contains { $0.starts(with: place.split(separator: "/")) }
        }
    }

    /// Adds rights of all folders that lead to a file, and of the file, so that it may be replaced later. To change files is a
    /// right of the last folder alone.
    package mutating func allow(_ rights: FileRights, leadingTo path: String) {
        for place in PathPlaces.leading(to: path, linksMayChange: rights == .read) { allow(rights, at: place) }
    }
}
