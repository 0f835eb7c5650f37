// swift-tools-version: 6.2
import PackageDescription

/// The modules that the targets fuzz, built from the project's own sources: `Sources` is a link to them. The C modules
/// and those without dependencies of the project's come first.
let modules: [(name: String, dependencies: [Target.Dependency])] = [
    ("Concurrency", []),
    ("SystemFiles", ["CLinux"]),
    ("StrictJSON", []),
    ("StrictYAML", ["CYAML"]),
    ("OpenSSLCrypto", ["COpenSSL", "CPKCS11", "CLinux", "StrictJSON", "Concurrency"]),
    ("FleetEngineToken", ["StrictJSON", "Concurrency"]),
    ("OpenSSLSigner", ["OpenSSLCrypto", "FleetEngineToken", "StrictJSON", "Concurrency"]),
    ("HTTPServer", ["CLinux", "Concurrency"]),
    ("HTTPServerTLS", ["COpenSSL", "OpenSSLCrypto", "HTTPServer", "Concurrency"]),
    ("HTTPServerHTTP2", ["CNGHTTP2", "HTTPServer"]),
    ("HTTPClient", ["CCurl", "StrictJSON", "Concurrency"]),
    (
        "GoogleCredentials",
        [
            "HTTPClient", "OpenSSLSigner", "OpenSSLCrypto", "FleetEngineToken", "StrictJSON", "SystemFiles",
            "Concurrency",
        ]
    ),
    ("CallerAccess", ["FleetEngineToken", "OpenSSLCrypto", "StrictJSON", "Concurrency"]),
    ("AuditLog", ["CLinux", "OpenSSLCrypto", "StrictJSON", "SystemFiles", "Concurrency"]),
    (
        "ServiceConfiguration",
        [
            "StrictYAML", "StrictJSON", "SystemFiles", "FleetEngineToken", "OpenSSLCrypto", "CallerAccess",
            "HTTPServer", "HTTPServerTLS", "HTTPServerHTTP2", "HTTPClient",
        ]
    ),
]

let package = Package(
    name: "fuzzing",
    targets: [
        .systemLibrary(name: "COpenSSL"),
        .systemLibrary(name: "CYAML"),
        .systemLibrary(name: "CNGHTTP2"),
        .systemLibrary(name: "CPKCS11"),
        .target(name: "CLinux"),
        .target(name: "CCurl"),
    ] + modules.map { .target(name: $0.name, dependencies: $0.dependencies) } + [
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "AuditLog", "CallerAccess", "FleetEngineToken", "GoogleCredentials", "HTTPClient", "HTTPServer",
                "OpenSSLCrypto", "OpenSSLSigner", "ServiceConfiguration", "StrictJSON", "StrictYAML",
            ],
            path: "Fuzz")
    ]
)
