// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")

let package = Package(
    name: "token-provider",
    products: [.executable(name: "token-provider", targets: ["TokenProvider"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // C: headers of system libraries, and what Swift's Glibc overlay lacks.
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .target(name: "CLinux"),
        // Its headers come from libcurl4-openssl-dev; the library itself is loaded by who needs it.
        .target(name: "CCurl"),

        // The rooms. Each names all it may import; CI builds with --explicit-target-dependency-import-check error.
        .target(name: "Locking", swiftSettings: strict),
        .target(name: "FleetEngineToken", dependencies: ["Locking", deque], swiftSettings: strict),
        .target(name: "OpenSSLObjects", dependencies: ["COpenSSL"], swiftSettings: strict),
        .target(
            name: "OpenSSLSigner", dependencies: ["COpenSSL", "OpenSSLObjects", "FleetEngineToken", "Locking"],
            swiftSettings: strict),
        .target(name: "HTTPServer", dependencies: ["CLinux", "Locking", deque], swiftSettings: strict),
        .target(
            name: "HTTPServerTLS", dependencies: ["COpenSSL", "OpenSSLObjects", "HTTPServer", "Locking"],
            swiftSettings: strict),
        .target(name: "HTTPServerHTTP2", dependencies: ["CNGHTTP2", "HTTPServer"], swiftSettings: strict),
        .target(name: "HTTPClient", dependencies: ["CCurl", "Locking"], swiftSettings: strict),
        .target(name: "StrictYAML", dependencies: ["CYAML"], swiftSettings: strict),
        .target(
            name: "CallerAccess", dependencies: ["FleetEngineToken", "OpenSSLSigner", "Locking"], swiftSettings: strict),
        .executableTarget(
            name: "TokenProvider",
            dependencies: [
                "FleetEngineToken", "OpenSSLSigner", "CallerAccess", "HTTPServer", "HTTPServerTLS", "HTTPServerHTTP2",
                "HTTPClient", "StrictYAML", "Locking", "CLinux",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),

        // For the tests alone: the programs that they run.
        .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
        .target(
            name: "ChildProcess", dependencies: ["CSpawn", "Locking"], path: "Tests/ChildProcess", swiftSettings: strict
        ),

        .target(
            name: "TestCertificates", dependencies: ["ChildProcess"], path: "Tests/TestCertificates",
            swiftSettings: strict),

        .executableTarget(name: "URLSessionClient", path: "Tests/URLSessionClient", swiftSettings: strict),

        .testTarget(name: "ChildProcessTests", dependencies: ["ChildProcess", "Locking"], swiftSettings: strict),
        .testTarget(name: "LockingTests", dependencies: ["Locking"], swiftSettings: strict),
        .testTarget(name: "FleetEngineTokenTests", dependencies: ["FleetEngineToken"], swiftSettings: strict),
        .testTarget(
            name: "OpenSSLObjectsTests", dependencies: ["OpenSSLObjects", "COpenSSL"], swiftSettings: strict),
        .testTarget(
            name: "OpenSSLSignerTests",
            dependencies: ["OpenSSLSigner", "OpenSSLObjects", "FleetEngineToken", "ChildProcess"],
            swiftSettings: strict),
        .testTarget(name: "HTTPServerTests", dependencies: ["HTTPServer", "Locking"], swiftSettings: strict),
        .testTarget(
            name: "HTTPServerTLSTests",
            dependencies: [
                "HTTPServerTLS", "HTTPServer", "Locking", "ChildProcess", "TestCertificates", "HTTPServerTests",
            ],
            exclude: ["Support/client.py", "Support/certified.py", "Support/key_updates.py"],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPServerHTTP2Tests",
            dependencies: ["HTTPServerHTTP2", "HTTPServer", "CNGHTTP2", "HTTPServerTests"],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPClientTests", dependencies: ["HTTPClient", "ChildProcess"], exclude: ["Support/server.py"],
            swiftSettings: strict),
        .testTarget(
            name: "CallerAccessTests",
            dependencies: ["CallerAccess", "FleetEngineToken", "OpenSSLSigner", "ChildProcess"],
            swiftSettings: strict),
        .testTarget(name: "StrictYAMLTests", dependencies: ["StrictYAML"], swiftSettings: strict),
        .testTarget(
            name: "TokenProviderTests",
            dependencies: [
                "TokenProvider", "FleetEngineToken", "OpenSSLSigner", "CallerAccess", "HTTPServer", "HTTPClient",
                "StrictYAML", "ChildProcess",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEnd", dependencies: ["TokenProvider", "ChildProcess", "TestCertificates", "URLSessionClient"],
            exclude: ["clients"],
            swiftSettings: strict),
    ]
)
