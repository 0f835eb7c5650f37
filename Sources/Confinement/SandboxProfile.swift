/// What a process can still do once it has confined itself.
package struct SandboxProfile: Sendable, Equatable {
    /// The rights of folders, with everything below them, and of files, by their paths; nil does not limit files.
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
        /// To read files and start processes, but no programs. It opens no sockets, signals no other process and changes no
        /// files.
        case loading
        /// To compute, and to use the sockets that it has.
        case signing
    }

    package init(places: [String: FileRights]?) { self.places = places }

    /// Adds rights of a place.
    package mutating func allow(_ rights: FileRights, at place: String) {
        places?[place, default: []].formUnion(rights)
    }

    /// Adds rights of all folders that lead to a file, and of the file, so that it may be replaced later.
    package mutating func allow(_ rights: FileRights, leadingTo path: String) {
        for place in PathPlaces.leading(to: path) { allow(rights, at: place) }
    }
}
