import HTTPServer

/// Assigns inherited sockets to the configured listeners. A socket is served as the configuration says for its listener; the
/// daemon opens the sockets of the other listeners itself.
package struct ListenerTakeover {
    /// An inherited socket.
    package struct Socket: Sendable, Equatable {
        /// Its name in the socket unit (FileDescriptorName=); nil if there is none.
        package let name: String?
        package let address: SocketAddress

        package init(name: String?, address: SocketAddress) {
            self.name = name
            self.address = address
        }

        /// Where it came from, for the log and reports.
        package var sentence: String { "the service manager passes the socket \(address)" }
    }

    private struct Place {
        let key: Configuration.ListeningKey
        let listener: Configuration.Listener
        /// Its sockets; nil if there are none. A socket of several listeners is listed only at the first of them.
        var sockets: [SocketAddress]?
    }

    private let values: Configuration
    private var places: [Place]

    /// Assigns each socket to the listeners with its address, or else to those that its name means.
    package init(_ values: Configuration, _ sockets: [Socket]) throws(ListenerTakeoverError) {
        self.values = values
        places = Configuration.ListeningKey.allCases.flatMap { key in
            values.listeners(of: key).map { Place(key: key, listener: $0) }
        }
        let addresses = sockets.map(\.address)
        for socket in sockets {
            do { try put(socket, beside: addresses) } catch {
                throw ListenerTakeoverError(socket: socket, reason: error)
            }
        }
    }

    /// The values, with the addresses of the sockets instead of those of their listeners.
    package var result: Configuration {
        var values = values
        for key in Configuration.ListeningKey.allCases {
            let listeners = places.filter { $0.key == key }.flatMap { place in
                place.sockets?.map(place.listener.moved(to:)) ?? [place.listener]
            }
            values.replaceListeners(of: key, by: listeners)
        }
        return values
    }

    /// The addresses of settings that have no effect, since sockets that do not receive their clients replace their listeners.
    var replaced: [(key: Configuration.ListeningKey, address: SocketAddress, sockets: [SocketAddress])] {
        places.filter { $0.sockets != nil }.compactMap { place in
            let sockets = places.filter { $0.key == place.key }.flatMap { $0.sockets ?? [] }
            guard !sockets.contains(where: { $0.takes(place.listener.address) }) else { return nil }
            return (place.key, place.listener.address, sockets)
        }
    }

    private mutating func put(
        _ socket: Socket, beside addresses: [SocketAddress]
    ) throws(ListenerTakeoverError.Reason) {
        let met = indices { $0.address.overlaps(socket.address) }
        // A listener with a socket at exactly its address needs no other.
        let own = met.filter {
            let address = places[$0].listener.address
            return address == socket.address || !addresses.contains(address)
        }
        let taken = met.isEmpty ? try places(namedBy: socket, beside: addresses) : own.isEmpty ? met : own
        let first = places[taken[0]].listener
        // Otherwise a client could be accepted by one listener and refused by another.
        guard taken.allSatisfy({ places[$0].listener.moved(to: first.address) == first }) else {
            throw .differ(listeners(taken))
        }
        if let name = socket.name.flatMap(ListenerSocketName.init), !name.allows(first) {
            throw .contradicts(first)
        }
        for index in taken { places[index].sockets = places[index].sockets ?? [] }
        places[taken[0]].sockets?.append(socket.address)
    }

    /// The listeners that a name alone means. All of them must require the same of clients.
    private mutating func places(
        namedBy socket: Socket, beside addresses: [SocketAddress]
    ) throws(ListenerTakeoverError.Reason) -> [Int] {
        guard let name = socket.name.map(ListenerSocketName.init) ?? .http else { throw .unknownName }
        let fitting = indices(where: name.fits)
        guard let first = fitting.first else {
            guard name == .https else { throw .noneOfItsKind(name.key) }
            // A socket for https needs only certificates.
            places.append(Place(key: .tls, listener: values.secureListener(at: socket.address)))
            return [places.count - 1]
        }
        let own = fitting.filter { places[$0].key == name.key }
        let demand = places[first].listener.clients
        guard fitting.allSatisfy({ places[$0].listener.clients == demand }), !own.isEmpty || fitting.count == 1 else {
            throw .ambiguous(listeners(fitting))
        }
        // It joins those that have sockets, so that the others keep their own.
        let met = own.filter { addresses.contains(places[$0].listener.address) }
        return own.isEmpty ? fitting : met.isEmpty ? own : met
    }

    private func indices(where isMeant: (Configuration.Listener) -> Bool) -> [Int] {
        places.indices.filter { isMeant(places[$0].listener) }
    }

    private func listeners(_ indices: [Int]) -> [Configuration.Listener] { indices.map { places[$0].listener } }
}

extension Configuration.Listener {
    /// The same at another address.
    fileprivate func moved(to address: SocketAddress) -> Configuration.Listener {
        var moved = self
        moved.address = address
        return moved
    }
}

extension SocketAddress {
    /// Whether a listener here would receive connections to a socket there, or the other way round. The daemon's own IPv6
    /// sockets receive none of IPv4.
    fileprivate func overlaps(_ socket: SocketAddress) -> Bool {
        socket.takes(self) || family == socket.family && takes(socket)
    }
}
