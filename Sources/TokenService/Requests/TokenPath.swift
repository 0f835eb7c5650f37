import FleetEngineToken
import ServiceConfiguration

/// The path of a token request: `/token`, or `/token/{kind}/{id}` as published apps call it. A format's name may come
/// before the kind, for clients that cannot add a query. A slash at the end is ignored.
struct TokenPath {
    /// Nil on the query route.
    let kind: TokenKind?
    /// The kind's name in the path; nil on the query route.
    let name: String?
    /// Nil if the path names none.
    let format: AnswerFormat?
    /// The id, percent-encoded; nil if there is none.
    let id: Range<Int>?

    /// Reads a path that is `/token` or begins with `/token/`.
    init(_ path: Span<UInt8>) throws(TokenProblem) {
        let end =
            path.count > TokenPath.prefix && path[path.count - 1] == UInt8(ascii: "/") ? path.count - 1 : path.count
        var rest = TokenPath.prefix
        guard let first = TokenPath.segment(path, &rest, end: end) else {
            (kind, name, format, id) = (nil, nil, nil, nil)
            return
        }
        format = TokenPath.word(path, first, of: TokenPath.formats)
        let second = format == nil ? first : TokenPath.segment(path, &rest, end: end)
        guard let second, let named = TokenPath.word(path, second, of: TokenPath.kinds) else { throw .unknownKind }
        (kind, name) = (named.kind, named.name)
        id = TokenPath.segment(path, &rest, end: end)
        guard rest >= end else { throw .unknownPath }
    }

    /// Characters of `/token`.
    private static let prefix = 6

    /// The segment after the slash at `position`, which moves to the segment's end; nil at the end of the path.
    private static func segment(_ path: Span<UInt8>, _ position: inout Int, end: Int) -> Range<Int>? {
        guard position < end else { return nil }
        let start = position + 1
        position = start
        while position < end, path[position] != UInt8(ascii: "/") { position += 1 }
        return start..<position
    }

    private static let formats = AnswerFormat.allCases.map { (Array($0.rawValue.utf8), $0) }

    /// Last-mile apps say `delivery_driver` for the only driver that Google's own back end knows.
    static let namedKinds =
        TokenKind.allCases.map { (name: $0.rawValue, kind: $0) } + [("delivery_driver", .untrustedDeliveryDriver)]
    private static let kinds = namedKinds.map { (Array($0.name.utf8), $0) }

    /// Every name of a kind, for sentences.
    static let kindNames = namedKinds.map(\.name).joined(separator: ", ")

    /// The word that the segment names.
    private static func word<Word>(_ path: Span<UInt8>, _ segment: Range<Int>, of words: [([UInt8], Word)]) -> Word? {
        for (name, word) in words where name.count == segment.count && path.holds(name, segment) { return word }
        return nil
    }

    /// The route's name in the access log; never the path itself, which contains an id.
    package var route: String {
        kind.map { TokenPath.routes[$0] } ?? ServicePath.token
    }

    /// The end of the segment that should name a kind and does not: what follows may be an id.
    static func endOfUnknownKind(_ path: Span<UInt8>) -> Int {
        var rest = prefix
        if let first = segment(path, &rest, end: path.count), word(path, first, of: formats) != nil {
            _ = segment(path, &rest, end: path.count)
        }
        return rest
    }

    private static let routes = PerKind { "/token/\($0.rawValue)" + ($0.isWildcard ? "" : "/{id}") }
}

extension TokenKind {
    /// The parameter that an id in the kind's path is read as; nil for a kind without ids.
    package var pathParameter: IDParameter? {
        switch self {
        case .consumer: .tripID
        case .driver: .vehicleID
        case .untrustedDeliveryDriver, .trustedDeliveryDriver: .deliveryVehicleID
        case .deliveryConsumer: .trackingID
        case .taskBatch: .taskIDs
        case .server, .deliveryServer, .deliveryFleetReader, .fleetReader: nil
        }
    }

    /// Whether its tokens can be for an id of this parameter.
    func takes(_ parameter: IDParameter) -> Bool {
        switch self {
        case .trustedDeliveryDriver, .deliveryConsumer: parameter == pathParameter || parameter == .taskID
        default: parameter == pathParameter
        }
    }
}

extension RequestCategory {
    /// The category of a malformed token request, by its path.
    package init(ofRefused path: Span<UInt8>) {
        do { self = try TokenPath(path).kind.map { .path($0) } ?? .query(nil) } catch { self = .path(nil) }
    }
}

extension Span<UInt8> {
    /// Whether the range, of the name's length, is the name.
    fileprivate func holds(_ name: [UInt8], _ range: Range<Int>) -> Bool {
        for index in 0..<name.count where self[range.lowerBound + index] != name[index] { return false }
        return true
    }
}

/// The shapes in which published clients read a token (FleetEngineContract.md, "What clients read"), by the names that
/// `format=` takes.
package enum AnswerFormat: String, CaseIterable, Sendable {
    /// Google's samples in "Get authorization tokens", Swift and Objective-C: the default of `/token`.
    case sdk
    /// The on-demand sample apps and the React Native driver SDK.
    case onDemand = "on_demand"
    /// The last-mile sample apps.
    case lastMile = "last_mile"
    /// The `authTokenFetcher` of the JavaScript SDKs.
    case javascript
    /// The samples of the Android documentation.
    case android

    /// Every name, for sentences.
    static let names = allCases.map(\.rawValue).joined(separator: ", ")

    /// The default of a kind's path: what the apps that call it read.
    init(pathOf kind: TokenKind) {
        switch kind {
        case .consumer, .driver, .server: self = .onDemand
        default: self = .lastMile
        }
    }
}

/// The form of a body: a format, and in the `sdk` format the form of the expiration.
enum AnswerForm: Int, CaseIterable, Sendable {
    case sdkAbsolute, sdkRelative, onDemand, lastMile, javascript, android

    init(_ format: AnswerFormat, _ expiration: Configuration.Answer.Expiration) {
        switch format {
        case .sdk: self = expiration == .absolute ? .sdkAbsolute : .sdkRelative
        case .onDemand: self = .onDemand
        case .lastMile: self = .lastMile
        case .javascript: self = .javascript
        case .android: self = .android
        }
    }

    /// Whether the body changes every second.
    var isRelative: Bool { self == .sdkRelative || self == .javascript }
}
