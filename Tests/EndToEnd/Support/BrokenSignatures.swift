import TestSupport

/// A library that makes a program's signatures fail while the file `order` exists, or wrong if that begins with "w".
struct BrokenSignatures {
    /// What a program must have in its environment.
    let environment: [String: String]

    init(in scratch: Scratch) throws {
        let library = scratch.path("broken_signatures.so")
        try Program.mustRun(
            "clang", ["-shared", "-fPIC", "-o", library, PythonClients.path("broken_signatures.c"), "-ldl"])
        environment = ["LD_PRELOAD": library, "BROKEN_SIGNATURES": scratch.path("order")]
    }
}
