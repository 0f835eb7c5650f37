/// What a process can still do once it has confined itself.
package struct SandboxProfile: Sendable, Equatable {
    /// The rights of folders, with everything below them, and of files, by their paths; nil does not limit files.
    package var places: [String: FileRights]?
    /// The TCP ports on which it may listen; nil does not limit them.
    package var ports: Set<UInt16>? = []
    /// Whether it may connect to abstract unix sockets of other processes (unix(7)).
    package var usesAbstractSockets = false
    /// Whether it may open sockets, besides those that it has.
    package var opensSockets = true
    /// Whether it may fork, but run no program.
    package var forks = false

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
