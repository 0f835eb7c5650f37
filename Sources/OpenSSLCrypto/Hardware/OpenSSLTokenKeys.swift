import COpenSSL

/// OpenSSL's way to the keys of a PKCS #11 module: the provider `pkcs11` where it is installed, otherwise the engine of
/// that name. `TokenConnection` has logged in before, so neither is given a PIN.
enum OpenSSLTokenKeys {
    case provider(PKCS11Provider)
    case engine(PKCS11Engine)

    init(_ module: PKCS11Module) throws(HardwareKeyError) {
        OpenSSLErrorQueue.clear()
        if let provider = PKCS11Provider(module) {
            self = .provider(provider)
        } else if let engine = PKCS11Engine(module) {
            self = .engine(engine)
        } else {
            throw .noProvider(OpenSSLErrorQueue.failure(to: "load the engine pkcs11"))
        }
    }

    /// OpenSSL's object for the one private key with this URI, which the caller owns; nil if there is none.
    func key(_ uri: String) -> OpaquePointer? {
        OpenSSLErrorQueue.clear()
        let ui = SilentInterface()
        return switch self {
        case .provider(let provider): provider.key(uri, ui)
        case .engine(let engine): engine.key(uri, ui)
        }
    }
}

/// The one owner of a user interface that answers no question, so that nothing asks the terminal for a PIN.
final class SilentInterface {
    let pointer = UI_METHOD_new_silent()

    deinit {
        UI_destroy_method(pointer)
    }
}

/// The one owner of an instance of the engine `pkcs11` (libp11).
final class PKCS11Engine {
    private let pointer: OpaquePointer

    /// Nil, with OpenSSL's reasons in its queue, if the engine is not installed.
    init?(_ module: PKCS11Module) {
        guard let engine = PKCS11_ENGINE_new(module.path) else { return nil }
        pointer = engine
    }

    func key(_ uri: String, _ ui: SilentInterface) -> OpaquePointer? {
        PKCS11_ENGINE_private_key(pointer, uri, ui.pointer)
    }

    deinit {
        PKCS11_ENGINE_free(pointer)
    }
}

/// The one owner of a library context with the provider `pkcs11`. In the common context the provider would also be
/// asked for other keys, and by modules that themselves use OpenSSL.
final class PKCS11Provider {
    private let context: OpaquePointer
    private let providers: [OpaquePointer]

    /// Nil if the provider is not installed.
    init?(_ module: PKCS11Module) {
        guard let context = OSSL_LIB_CTX_new() else { return nil }
        var providers: [OpaquePointer] = []
        if Self.configure(context, module.path), let common = OSSL_PROVIDER_load(context, "default") {
            providers = [common] + [OSSL_PROVIDER_load(context, "pkcs11")].compactMap(\.self)
        }
        // Stored before a failure, so that `deinit` frees them.
        (self.context, self.providers) = (context, providers)
        guard providers.count == 2 else { return nil }
    }

    /// Tells the provider its module, which OpenSSL before 3.2 can do only by a configuration; and to keep no copy of a key in
    /// its session, which other sessions would find as another key, and which would sign without the token.
    private static func configure(_ context: OpaquePointer, _ path: String) -> Bool {
        let text = """
            openssl_conf = main
            [main]
            providers = providers
            [providers]
            pkcs11 = pkcs11
            [pkcs11]
            pkcs11-module-path = \(escaped(path))
            pkcs11-module-cache-keys = false
            """
        guard let bio = try? MemoryBIO(Array(text.utf8)), let configuration = NCONF_new_ex(context, nil) else {
            return false
        }
        defer { NCONF_free(configuration) }
        var line = 0
        return NCONF_load_bio(configuration, bio.pointer, &line) == 1
            && CONF_modules_load(configuration, nil, 0) == 1
    }

    /// The path with a backslash before each character that may have a meaning (config(5)).
    private static func escaped(_ path: String) -> String {
        let plain = { (character: Character) in character.isLetter || character.isNumber || "/._-+".contains(character)
        }
        return path.reduce(into: "") { $0 += plain($1) ? String($1) : "\\\($1)" }
    }

    func key(_ uri: String, _ ui: SilentInterface) -> OpaquePointer? {
        guard let store = OSSL_STORE_open_ex(uri, context, "provider=pkcs11", ui.pointer, nil, nil, nil, nil) else {
            return nil
        }
        defer { OSSL_STORE_close(store) }
        while OSSL_STORE_eof(store) == 0, OSSL_STORE_error(store) == 0 {
            guard let object = OSSL_STORE_load(store) else { continue }
            defer { OSSL_STORE_INFO_free(object) }
            if OSSL_STORE_INFO_get_type(object) == OSSL_STORE_INFO_PKEY { return OSSL_STORE_INFO_get1_PKEY(object) }
        }
        return nil
    }

    deinit {
        for provider in providers { OSSL_PROVIDER_unload(provider) }
        OSSL_LIB_CTX_free(context)
    }
}
