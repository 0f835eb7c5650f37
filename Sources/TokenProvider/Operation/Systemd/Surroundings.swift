/// What whoever started the daemon gave it.
struct Surroundings {
    /// Sockets to listen on.
    var sockets = InheritedSockets.none
    /// Who wants to know how the daemon is; nil if nobody does.
    var manager: ServiceManager?

    /// Takes what the variables of this process tell of; they are forgotten. Call while there is one thread.
    static func take() throws -> Surroundings {
        Surroundings(sockets: try InheritedSockets.take(), manager: try ServiceManager.find())
    }
}
