import FleetEngineToken
import ServiceConfiguration

/// The shapes in which published clients read a token (CONTRACT.md section 2), by the names that `format=` takes.
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
