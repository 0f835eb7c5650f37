import Concurrency
import Dispatch
import FleetEngineToken
import OpenSSLCrypto

/// The keys in hardware of this process. They share a connection to the module, which is opened for the first of them
/// and closed after the last. If a token stops signing, its keys are opened again in the background.
///
/// `@unchecked Sendable`: after `init`, the variables are used on `queue` only.
package final class HardwareKeys: @unchecked Sendable {
    /// How tokens are reached.
    package struct Access: Sendable {
        package typealias ReadPIN = @Sendable () throws(HardwareKeyError) -> TokenPIN?

        let module: String
        let pin: ReadPIN

        /// The module's path, and what reads the PIN; it is read whenever a token may require it.
        package init(module: String, pin: @escaping ReadPIN) {
            (self.module, self.pin) = (module, pin)
        }
    }

    /// What became of a key that did not sign.
    package enum Change: Hashable, Sendable {
        /// It cannot be opened again now; attempts go on.
        case lost(PKCS11URI, reason: String)
        case recovered(PKCS11URI)
    }

    typealias Connect = (_ module: String, _ closed: @escaping @Sendable () -> Void) throws(HardwareKeyError) ->
        any TokenConnecting

    /// A key, as long as something signs with it.
    private struct Entry {
        weak var key: HardwareKey?
        var access: Access
        /// The reason of its loss that was reported; nil if it signs.
        var reported: String?
        /// Whether it signed until the connection was ended for another key.
        var isInterrupted = false
    }

    /// How long calls in progress may keep a connection open.
    private static let patience = DispatchTimeInterval.seconds(5)
    /// How long a caller waits for a key.
    private let patience: DispatchTimeInterval

    let queue = DispatchQueue(label: "hardware-keys")
    private let connect: Connect
    private let timer: SigningQueue.Timer
    private let report: @Sendable (Change) -> Void
    private let after: @Sendable (_ milliseconds: Int, DispatchQueue, @escaping @Sendable () -> Void) -> Void

    private var connection: (any TokenConnecting)?
    private var module: String?
    private var closed = DispatchSemaphore(value: 0)
    /// Signalled by the end of an earlier connection that a signature in progress still holds.
    private var closing: DispatchSemaphore?
    private var wantsReconnection = false
    private var entries: [Entry] = []
    private var recovery = HardwareRecovery()
    private var isRecovering = false
    /// Whether a caller has given up waiting for what the queue does.
    private let isStuck = Guarded(false)

    /// Nothing is loaded yet. `report` is called on a queue of its own.
    package convenience init(report: @escaping @Sendable (Change) -> Void = { _ in }) {
        var modules: [String: PKCS11Module] = [:]
        self.init(report: report) { (path, closed) throws(HardwareKeyError) in
            if let module = modules[path] { return try TokenConnection(module, closed: closed) }
            let module = try PKCS11Module(path: path)
            modules[path] = module
            return try TokenConnection(module, closed: closed)
        } after: {
            $1.asyncAfter(deadline: .now() + .milliseconds($0), execute: $2)
        } timer: {
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(2), execute: $0)
        }
    }

    init(
        report: @escaping @Sendable (Change) -> Void, connect: @escaping Connect,
        after: @escaping @Sendable (Int, DispatchQueue, @escaping @Sendable () -> Void) -> Void,
        timer: @escaping SigningQueue.Timer, patience: DispatchTimeInterval = .seconds(10)
    ) {
        self.patience = patience
        (self.report, self.connect, self.after, self.timer) = (report, connect, after, timer)
    }

    /// Call it before the keys of a configuration are loaded: it permits a refused PIN once more, and looks whether the
    /// keys in use still sign.
    package func beginLoading() {
        queue.async { [self] in
            recovery.forgetRefusal()
            wantsReconnection = true
        }
        recover()
    }

    /// Call it when the configuration of these keys is in use: they are opened again in this way from then on.
    package func start(_ access: Access) {
        queue.async { [self] in
            for index in entries.indices { entries[index].access = access }
        }
    }

    /// The key, opened. Blocks for as long as the token takes, at most 10 s.
    package func key(_ uri: PKCS11URI, _ access: Access) throws(HardwareKeyError) -> HardwareKey {
        if isStuck.withLock({ $0 }) { throw .noAnswer }
        let result = Awaited { completion in
            queue.async { [self] in
                let result = Result { () throws(HardwareKeyError) in try load(uri, access) }
                isStuck.withLock { $0 = false }
                // A module that no key uses must not prevent the use of another one.
                if (try? result.get()) == nil, !entries.contains(where: { $0.key != nil }) { disconnect() }
                return result
            } then: {
                completion($0)
            }
        }
        guard let result = result.value(before: .now() + patience) else {
            isStuck.withLock { $0 = true }
            throw .noAnswer
        }
        return try result.get()
    }

    private func load(_ uri: PKCS11URI, _ access: Access) throws(HardwareKeyError) -> HardwareKey {
        let pin = try access.pin()
        let connection = try connected(access.module)
        return try recovery.using(pin, on: connection.token(of: uri)) { pin throws(HardwareKeyError) in
            let opened = try connection.open(uri, pin)
            let index = entries.firstIndex { $0.key?.uri == uri && $0.key?.isSame(as: opened) == true }
            guard let index, let known = entries[index].key else {
                let key = HardwareKey(uri, SigningQueue(opened, timer), of: self)
                entries.append(Entry(key: key, access: access))
                return key
            }
            // Its own access stays until the new configuration is in use.
            if !known.isOpen { try reopen(index, opened) }
            return known
        }
    }

    private func connected(_ path: String) throws(HardwareKeyError) -> any TokenConnecting {
        if let connection {
            guard let module, module == path else { throw .otherModule(than: module ?? path) }
            return connection
        }
        // The end of an earlier connection would end this one's module.
        if let closing {
            guard closing.wait(timeout: .now()) == .success else { throw .stillInUse }
            self.closing = nil
        }
        let closed = DispatchSemaphore(value: 0)
        let connection = try connect(path) { closed.signal() }
        (self.connection, self.closed, module) = (connection, closed, path)
        return connection
    }

    /// Ends the connection, and waits until calls in progress have released it.
    private func disconnect() {
        guard connection != nil else { return }
        connection = nil
        if closed.wait(timeout: .now() + Self.patience) == .timedOut { closing = closed }
    }

    /// Opens lost keys again; call it when a token may make no signatures any more.
    func recover() {
        queue.async { [weak self] in
            guard let self, !isRecovering else { return }
            isRecovering = true
            attempt()
        }
    }

    /// Ends the connection after the last key; call it when a key is not used any more.
    func release() {
        queue.async { [weak self] in
            guard let self else { return }
            entries.removeAll { $0.key == nil }
            if entries.isEmpty { disconnect() }
        }
    }

    private func attempt() {
        disconnectIfUseful()
        for index in entries.indices { reopenIfLost(index) }
        guard entries.contains(where: { $0.key?.isOpen == false }) else {
            isRecovering = false
            return recovery.succeed()
        }
        after(recovery.delay(), queue) { [weak self] in self?.attempt() }
    }

    /// Modules may need to be initialised again before they see a token again. Keys that sign are interrupted for that now
    /// and then, for a moment, unless a token that does not answer would make it longer.
    private func disconnectIfUseful() {
        let signing = entries.indices.filter { entries[$0].key?.signs() == true }
        let keys = entries.compactMap(\.key)
        guard signing.count < keys.count else { return wantsReconnection = false }
        let isDue = wantsReconnection || recovery.wantsReconnection
        guard signing.isEmpty || isDue && !keys.contains(where: \.isStuck) else { return }
        wantsReconnection = false
        for index in signing {
            entries[index].isInterrupted = true
            entries[index].key?.interrupt()
        }
        disconnect()
    }

    private func reopenIfLost(_ index: Int) {
        let entry = entries[index]
        guard let key = entry.key, !key.isOpen else { return }
        do throws(HardwareKeyError) {
            let pin = try entry.access.pin()
            let connection = try connected(entry.access.module)
            let opened = try recovery.using(pin, on: connection.token(of: key.uri)) { pin throws(HardwareKeyError) in
                try connection.open(key.uri, pin)
            }
            try reopen(index, opened)
        } catch {
            let loss = RemoteSigningError(error, about: key.uri)
            let reason = loss.reason
            key.stayLost(because: loss)
            guard entry.reported == nil || error.isRefusedPIN && entry.reported != reason else { return }
            entries[index].reported = reason
            report(.lost(key.uri, reason: reason))
        }
    }

    private func reopen(_ index: Int, _ opened: OpenedKey) throws(HardwareKeyError) {
        guard let key = entries[index].key else { return }
        try key.reopen(SigningQueue(opened, timer))
        let isQuiet = entries[index].isInterrupted && entries[index].reported == nil
        (entries[index].reported, entries[index].isInterrupted) = (nil, false)
        if !isQuiet { report(.recovered(key.uri)) }
    }
}

/// A connection to the tokens of a module; another one in tests.
protocol TokenConnecting: AnyObject {
    /// What tells the token that the URI means from others.
    func token(of uri: PKCS11URI) throws(HardwareKeyError) -> [[UInt8]]
    /// Logs in, finds a key and opens it.
    func open(_ uri: PKCS11URI, _ pin: TokenPIN?) throws(HardwareKeyError) -> OpenedKey
}

extension TokenConnection: TokenConnecting {}
