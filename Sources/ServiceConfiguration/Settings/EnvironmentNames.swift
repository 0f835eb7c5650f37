import SystemFiles

/// The environment variables of the daemon.
package enum EnvironmentNames {
    /// What the names of all of them begin with.
    package static let prefix = "TOKEN_PROVIDER_"
    /// The path of the configuration file; a flag takes precedence.
    package static let configurationFile = "TOKEN_PROVIDER_CONFIG"
    /// The path of a file of settings that every other source takes precedence over, such as those of a container image.
    package static let defaultsFile = "TOKEN_PROVIDER_DEFAULTS"
    /// Those that are not settings.
    static let files = [configurationFile, defaultsFile, CredentialCopies.variable]
    /// The port to listen on, if nothing else says where: what Cloud Run, Heroku and others set.
    package static let port = "PORT"
    /// Google's variable for a key file (AIP-4110).
    static let googleCredentials = "GOOGLE_APPLICATION_CREDENTIALS"

    /// Whether Kubernetes made the variable for a Service called `token-provider…`. It sets `…_SERVICE_HOST`,
    /// `…_PORT_8080_TCP_ADDR` and others in every container of the namespace ("Service environment variables" in its
    /// documentation), so they are not mistakes.
    static func isServiceLink(_ name: String, value: String) -> Bool {
        let words = name.split(separator: "_")
        if words.suffix(2) == ["SERVICE", "HOST"] || words.suffix(2) == ["SERVICE", "PORT"] { return true }
        if name.contains("_SERVICE_PORT_") { return true }
        if words.last == "PORT", ["tcp://", "udp://", "sctp://"].contains(where: value.hasPrefix) { return true }
        return isPortLink(words)
    }

    /// `PORT`, a number and a protocol, which `ADDR`, `PORT` or `PROTO` may follow.
    private static func isPortLink(_ words: [Substring]) -> Bool {
        let end = ["ADDR", "PORT", "PROTO"].contains(words.last) ? words.dropLast() : words[...]
        let link = Array(end.suffix(3))
        return link.count == 3 && link[0] == "PORT" && DecimalText.whole(link[1]) != nil
            && ["TCP", "UDP", "SCTP"].contains(link[2])
    }
}
