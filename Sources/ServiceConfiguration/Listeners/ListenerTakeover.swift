import HTTPServer

/// The configured listeners while sockets that were handed over take the place of some of them. A socket is what the
/// configuration says of the listener that it stands for; what none stands for, the daemon opens itself.
package struct ListenerTakeover {
    /// A socket, by what it is bound to.
    package struct Socket: Sendable, Equatable {
        /// What its unit calls it (FileDescriptorName=); nil where nothing does.
        package let name: String?
        package let address: SocketAddress

        /// A value of these parts.
        package init(name: String?, address: SocketAddress) {
            self.name = name
            self.address = address
        }
    }

    private struct Place {
        let key: Configuration.ListeningKey
        let listener: Configuration.Listener
        /// The sockets that stand for it, told at the first of those that they stand for; nil if none does.
        var sockets: [SocketAddress]?
    }

    private let values: ConfigurationValues
    private var places: [Place]

    /// Puts each socket where it belongs: at the listeners that have its address, or else at those that its name is for.
    package init(_ values: ConfigurationValues, _ sockets: [Socket]) throws(ListenerTakeoverError) {
        self.values = values
        places = Configuration.ListeningKey.allCases.flatMap { key in
            values.listeners(of: key).map { Place(key: key, listener: $0) }
        }
        let addresses = sockets.map(\.address)
        for socket in sockets {
            do throws(ListenerTakeoverError.Reason) {
                try put(socket, beside: addresses)
            } catch {
                throw ListenerTakeoverError(socket: socket, reason: error)
            }
        }
    }

    /// The values, with the sockets where they took a place.
    package var result: ConfigurationValues {
        var values = values
        for key in Configuration.ListeningKey.allCases {
            let listeners = places.filter { $0.key == key }.flatMap { place in
                place.sockets?.map(place.listener.moved(to:)) ?? [place.listener]
            }
            values.replaceListeners(of: key, by: listeners)
        }
        return values
    }

    private mutating func put(
        _ socket: Socket, beside addresses: [SocketAddress]
    ) throws(ListenerTakeoverError.Reason) {
        let met = indices { $0.address.overlaps(socket.address) }
        // A listener with a socket at its very address needs no other one.
        let own = met.filter {
            let address = places[$0].listener.address
            return address == socket.address || !addresses.contains(address)
        }
        let taken = met.isEmpty ? try places(namedBy: socket, beside: addresses) : own.isEmpty ? met : own
        let first = places[taken[0]].listener
        // Else somebody could come in by one who would not by another.
        guard taken.allSatisfy({ places[$0].listener.moved(to: first.address) == first }) else {
            throw .differ(listeners(taken))
        }
        if let name = socket.name.flatMap(ListenerSocketName.init), !name.allows(first) {
            throw .contradicts(first)
        }
        for index in taken { places[index].sockets = places[index].sockets ?? [] }
        places[taken[0]].sockets?.append(socket.address)
    }

    /// Where the name alone tells, it has to tell: of all that it may mean, none demands of clients what another does not.
    private mutating func places(
        namedBy socket: Socket, beside addresses: [SocketAddress]
    ) throws(ListenerTakeoverError.Reason) -> [Int] {
        guard let name = socket.name.map(ListenerSocketName.init) ?? .http else { throw .unknownName }
        let fitting = indices(where: name.fits)
        guard let first = fitting.first else {
            guard name == .https else { throw .noneOfItsKind(name.key) }
            // Certificates say what it is, wherever it is.
            places.append(Place(key: .tls, listener: values.secureListener(at: socket.address)))
            return [places.count - 1]
        }
        let own = fitting.filter { places[$0].key == name.key }
        let demand = places[first].listener.clients
        guard fitting.allSatisfy({ places[$0].listener.clients == demand }), !own.isEmpty || fitting.count == 1 else {
            throw .ambiguous(listeners(fitting))
        }
        // It joins those that have sockets of their own, so that the others stay.
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
    /// Whether a listener here would take what comes to a socket there, or the other way round. The daemon's own sockets for
    /// IPv6 take nothing of IPv4's.
    fileprivate func overlaps(_ socket: SocketAddress) -> Bool {
        socket.takes(self) || family == socket.family && takes(socket)
    }
}
