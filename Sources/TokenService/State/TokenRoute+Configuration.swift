import CallerAccess
import FleetEngineToken
import HTTPServer
import Logging
import OpenSSLSigner
import ServiceConfiguration

extension TokenRoute {
    /// The route of a loaded configuration, with the state that survives reloads.
    package convenience init(
        _ loaded: LoadedConfiguration, _ gate: CallerGate, _ state: RetainedState, _ remote: RemoteSigning? = nil,
        logger: Logger
    ) throws {
        let (configuration, signers) = (loaded.configuration, loaded.signers)
        let kinds = try ServedKinds(absence: configuration.absence(of:)) { kind in
            try signers.minter(of: kind, configuration, remotely: signers.remoteSigner(of: kind, remote))
        }
        let reader = TokenRequestReader(
            kinds: kinds, ignoredParameters: Set(configuration.request.ignoredParameters.map { Array($0.utf8) }),
            expiration: configuration.answer.expiration)
        let handout = TokenHandout(
            cache: state.cache,
            answer: TokenAnswer(names: configuration.answer) {
                ClientMargin(configuration.tokenSettings(of: $0))
            },
            records: TokenRecords(
                audit: state.audit, recordsReused: configuration.audit.reused, label: state.label,
                refusals: state.refusals),
            logger: logger, signatures: state.signatures, remote: state.remoteMint)
        self.init(
            gate: gate, clients: ClientAddresses(configuration.proxies, state.unreadableAddresses),
            limits: state.limits, reader: reader,
            handout: handout, uncountedPeers: state.uncountedPeers,
            methods: configuration.cors.allowedOrigins.isEmpty ? HTTPMethod.readingNames : CrossOrigin.methods)
    }
}

extension ClientAddresses {
    fileprivate init(_ proxies: Configuration.Proxies, _ unreadable: OneTimeWarning) {
        self.unreadable = unreadable
        guard !proxies.trusted.isEmpty || proxies.unixSockets else {
            forwarded = nil
            return
        }
        forwarded = ForwardedAddress(
            trusting: proxies.trusted, trustsUnixSockets: proxies.unixSockets,
            reading: proxies.header == .forwarded ? .forwarded : .xForwardedFor)
    }
}
