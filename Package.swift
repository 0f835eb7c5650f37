// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
    name: "token-provider",
    targets: [
        // C: headers of system libraries, and what Swift's Glibc overlay lacks.
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .target(name: "CLinux"),

        // The rooms. Each names all it may import; CI builds with --explicit-target-dependency-import-check error.
        .target(name: "Locking", swiftSettings: strict),
        .target(name: "FleetEngineToken", dependencies: ["Locking"], swiftSettings: strict),
        .target(name: "OpenSSLSigner", dependencies: ["COpenSSL", "FleetEngineToken"], swiftSettings: strict),
        .target(name: "HTTPServer", dependencies: ["CLinux", "Locking"], swiftSettings: strict),
        .target(name: "StrictYAML", dependencies: ["CYAML"], swiftSettings: strict),
        .testTarget(name: "FleetEngineTokenTests", dependencies: ["FleetEngineToken"], swiftSettings: strict),
        .testTarget(
            name: "OpenSSLSignerTests", dependencies: ["OpenSSLSigner", "FleetEngineToken"], swiftSettings: strict),
        .testTarget(name: "HTTPServerTests", dependencies: ["HTTPServer"], swiftSettings: strict),
        .testTarget(name: "StrictYAMLTests", dependencies: ["StrictYAML"], swiftSettings: strict)
    ]
)
