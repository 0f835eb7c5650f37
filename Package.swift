// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
    name: "token-provider",
    // What the client library needs of Apple's systems; the daemon runs on Linux.
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .executable(name: "token-provider", targets: ["TokenProvider"]),
        .library(name: "TokenProviderClient", targets: ["TokenProviderClient"]),
    ],
    dependencies: [
        // No release of theirs changes a build before .ci/dependencies does.
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    ],
    targets: [
        // C: headers of system libraries, and what Swift's Glibc overlay lacks.
        // From libssl-dev, libyaml-dev and libnghttp2-dev. With pkgConfig, apps on the client library would be warned.
        .systemLibrary(name: "COpenSSL"),
        .systemLibrary(name: "CYAML"),
        .systemLibrary(name: "CNGHTTP2"),
        .target(name: "CLinux"),
        // Modules for keys in hardware are loaded by who needs them.
        .systemLibrary(name: "CPKCS11"),
        // Intel's crypto_mb, loaded where it is installed.
        .systemLibrary(name: "CCryptoMB"),
        // Its headers come from libcurl4-openssl-dev; the library itself is loaded by who needs it.
        .target(name: "CCurl"),

        // Each module names all it may import; CI builds with --explicit-target-dependency-import-check error.
        .target(name: "Concurrency", swiftSettings: strict),
        .target(name: "SystemFiles", dependencies: ["CLinux"], swiftSettings: strict),
        .target(name: "Confinement", dependencies: ["CLinux", "SystemFiles"], swiftSettings: strict),
        .target(name: "StrictJSON", swiftSettings: strict),
        .target(name: "StrictYAML", dependencies: ["CYAML"], swiftSettings: strict),
        .target(
            name: "OpenSSLCrypto", dependencies: ["CLinux", "COpenSSL", "CPKCS11", "StrictJSON", "Concurrency"],
            swiftSettings: strict),
        .target(name: "FleetEngineToken", dependencies: ["StrictJSON", "Concurrency"], swiftSettings: strict),
        .target(
            name: "OpenSSLSigner", dependencies: ["OpenSSLCrypto", "FleetEngineToken", "StrictJSON", "Concurrency"],
            swiftSettings: strict),
        .target(
            name: "BatchSigning", dependencies: ["CCryptoMB", "OpenSSLCrypto", "FleetEngineToken", "Concurrency"],
            swiftSettings: strict),
        .target(
            name: "SeparateSigning",
            dependencies: [
                "CLinux", "FleetEngineToken", "OpenSSLCrypto", "OpenSSLSigner", "StrictJSON", "SystemFiles",
                "Concurrency",
            ],
            swiftSettings: strict),
        .target(name: "HTTPServer", dependencies: ["CLinux", "Concurrency"], swiftSettings: strict),
        .target(
            name: "HTTPServerTLS", dependencies: ["COpenSSL", "OpenSSLCrypto", "HTTPServer", "Concurrency"],
            swiftSettings: strict),
        .target(name: "HTTPServerHTTP2", dependencies: ["CNGHTTP2", "HTTPServer"], swiftSettings: strict),
        .target(name: "HTTPClient", dependencies: ["CCurl", "StrictJSON", "Concurrency"], swiftSettings: strict),
        .target(
            name: "GoogleCredentials",
            dependencies: [
                "HTTPClient", "OpenSSLSigner", "OpenSSLCrypto", "FleetEngineToken", "StrictJSON", "SystemFiles",
                "Concurrency",
            ],
            swiftSettings: strict),
        .target(
            name: "CallerAccess", dependencies: ["FleetEngineToken", "OpenSSLCrypto", "StrictJSON", "Concurrency"],
            swiftSettings: strict),
        .target(
            name: "AuditLog", dependencies: ["CLinux", "OpenSSLCrypto", "StrictJSON", "SystemFiles", "Concurrency"],
            swiftSettings: strict),
        .target(
            name: "ServiceConfiguration",
            dependencies: [
                "StrictYAML", "StrictJSON", "SystemFiles", "FleetEngineToken", "OpenSSLCrypto", "CallerAccess",
                "HTTPServer", "HTTPServerTLS", "HTTPServerHTTP2", "HTTPClient",
            ],
            swiftSettings: strict),
        .target(
            name: "TokenService",
            dependencies: [
                "AuditLog", "BatchSigning", "CallerAccess", "FleetEngineToken", "GoogleCredentials",
                "HTTPClient", "HTTPServer", "HTTPServerTLS", "OpenSSLCrypto", "OpenSSLSigner", "SeparateSigning",
                "ServiceConfiguration", "StrictJSON", "SystemFiles", "Concurrency",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .target(
            name: "TokenInspection", dependencies: ["FleetEngineToken", "OpenSSLCrypto", "StrictJSON"],
            swiftSettings: strict),
        .executableTarget(
            name: "TokenProvider",
            dependencies: [
                "AuditLog", "BatchSigning", "CallerAccess", "CLinux", "Confinement", "FleetEngineToken",
                "GoogleCredentials", "HTTPClient", "HTTPServer", "HTTPServerHTTP2", "HTTPServerTLS", "OpenSSLCrypto",
                "OpenSSLSigner", "ServiceConfiguration", "SeparateSigning", "StrictJSON", "StrictYAML", "SystemFiles",
                "TokenInspection", "TokenService", "Concurrency",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.embedInCode("Console/Web")],
            swiftSettings: strict,
            // Nothing loads the program as a library, and the names would take half a megabyte.
            linkerSettings: [
                .unsafeFlags(["-Xlinker", "--no-export-dynamic"], .when(configuration: .release))
            ]),

        // For apps: Foundation alone, and nothing of the daemon.
        .target(name: "TokenProviderClient", swiftSettings: strict),

        // For the tests alone. Tests of a module depend on it, on what it depends on, and on TestSupport, which knows no
        // module, so that a change of one builds only the tests above it again. Three modules share a server of requests.
        .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
        .testTarget(name: "TestSupport", dependencies: ["CSpawn", "Concurrency"], swiftSettings: strict),
        .testTarget(
            name: "HTTPServerSupport", dependencies: ["HTTPServer", "TestSupport"], path: "Tests/HTTPServerSupport",
            swiftSettings: strict),

        .executableTarget(name: "URLSessionClient", path: "Tests/URLSessionClient", swiftSettings: strict),

        .executableTarget(
            name: "ClientProgram", dependencies: ["TokenProviderClient", "Concurrency"], path: "Tests/ClientProgram",
            swiftSettings: strict),

        .testTarget(
            name: "TokenProviderClientTests", dependencies: ["TokenProviderClient", "Concurrency", "TestSupport"],
            exclude: ["Samples"], swiftSettings: strict),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport", "Concurrency"], swiftSettings: strict),
        .testTarget(name: "ConcurrencyTests", dependencies: ["Concurrency", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "SystemFilesTests", dependencies: ["SystemFiles", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ConfinementTests", dependencies: ["Confinement", "SystemFiles"], swiftSettings: strict),
        .testTarget(
            name: "StrictJSONTests", dependencies: ["StrictJSON", "TestSupport"],
            exclude: ["Vectors/JSONTestSuite.json.gz"], swiftSettings: strict),
        .testTarget(
            name: "FleetEngineTokenTests", dependencies: ["FleetEngineToken", "StrictJSON", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "OpenSSLCryptoTests",
            dependencies: ["OpenSSLCrypto", "COpenSSL", "StrictJSON", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "OpenSSLSignerTests",
            dependencies: ["OpenSSLSigner", "OpenSSLCrypto", "FleetEngineToken", "Concurrency", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "BatchSigningTests",
            dependencies: [
                "BatchSigning", "FleetEngineToken", "OpenSSLCrypto", "OpenSSLSigner",
                "StrictJSON", "Concurrency", "TestSupport",
            ],
            exclude: ["Support/crypto_mb.c", "Support/wycheproof.json"], swiftSettings: strict),
        .testTarget(
            name: "SeparateSigningTests", dependencies: ["SeparateSigning", "FleetEngineToken", "StrictJSON"],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPServerTests", dependencies: ["HTTPServer", "HTTPServerSupport", "Concurrency"],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPServerTLSTests",
            dependencies: ["HTTPServerTLS", "HTTPServer", "HTTPServerSupport", "Concurrency", "TestSupport"],
            exclude: ["Support/client.py", "Support/certified.py", "Support/key_updates.py"],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPServerHTTP2Tests",
            dependencies: ["HTTPServerHTTP2", "HTTPServer", "CNGHTTP2", "HTTPServerSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPClientTests", dependencies: ["HTTPClient", "Concurrency", "TestSupport"],
            exclude: ["Support/server.py", "Support/http2_server.py", "Support/proxy.py"], swiftSettings: strict),
        .testTarget(
            name: "GoogleCredentialsTests",
            dependencies: [
                "GoogleCredentials", "HTTPClient", "OpenSSLSigner", "OpenSSLCrypto", "FleetEngineToken", "StrictJSON",
                "SystemFiles", "Concurrency", "TestSupport",
            ],
            exclude: ["Support/token_server.py"], swiftSettings: strict),
        .testTarget(
            name: "CallerAccessTests",
            dependencies: ["CallerAccess", "FleetEngineToken", "OpenSSLCrypto", "StrictJSON", "TestSupport"],
            exclude: ["Vectors/signatures.json.gz", "Vectors/tokens.json.gz"], swiftSettings: strict),
        .testTarget(
            name: "TokenInspectionTests",
            dependencies: ["TokenInspection", "FleetEngineToken", "OpenSSLCrypto", "OpenSSLSigner", "StrictJSON"],
            swiftSettings: strict),
        .testTarget(
            name: "StrictYAMLTests", dependencies: ["StrictYAML", "TestSupport"],
            exclude: ["Vectors/yaml-test-suite.json.gz"], swiftSettings: strict),
        .testTarget(
            name: "AuditLogTests",
            dependencies: ["AuditLog", "Concurrency", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ServiceConfigurationTests",
            dependencies: [
                "ServiceConfiguration", "CallerAccess", "FleetEngineToken", "HTTPClient", "HTTPServer", "StrictJSON",
                "StrictYAML",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TokenServiceTests",
            dependencies: [
                "TokenService", "AuditLog", "CallerAccess", "FleetEngineToken", "GoogleCredentials", "HTTPClient",
                "HTTPServer", "HTTPServerSupport", "OpenSSLCrypto", "OpenSSLSigner", "ServiceConfiguration",
                "StrictJSON", "SystemFiles", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TokenProviderTests",
            dependencies: [
                "TokenProvider", "TokenService", "AuditLog", "CallerAccess", "Confinement", "FleetEngineToken",
                "GoogleCredentials", "HTTPServer", "HTTPServerSupport", "OpenSSLSigner", "ServiceConfiguration",
                "StrictJSON", "TestSupport", "TokenInspection",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEnd",
            dependencies: [
                "TokenProvider", "Concurrency", "TestSupport", "URLSessionClient", "ClientProgram",
            ],
            exclude: ["clients"],
            swiftSettings: strict),
    ]
)
