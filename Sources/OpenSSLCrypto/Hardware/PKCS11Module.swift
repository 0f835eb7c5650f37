import CPKCS11
import Glibc

/// The library that a token's maker supplies (PKCS #11 version 2.40). Once loaded it stays, since such libraries do not
/// all survive to be unloaded.
///
/// `@unchecked Sendable`: the table of functions never changes, and `TokenConnection` asks for locks in the module.
package final class PKCS11Module: @unchecked Sendable {
    package let path: String
    private let functions: CK_FUNCTION_LIST

    /// Loads the library. Throws if the file is not a PKCS #11 module.
    package init(path: String) throws(HardwareKeyError) {
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? "no reason given"
            // dlerror(3) starts with the path.
            let isPrefixed = reason.hasPrefix("\(path): ")
            throw .module(path, "cannot be loaded: \(isPrefixed ? String(reason.dropFirst(path.count + 2)) : reason)")
        }
        guard let symbol = dlsym(library, "C_GetFunctionList") else {
            throw .module(path, "has no function C_GetFunctionList")
        }
        var list: UnsafeMutablePointer<CK_FUNCTION_LIST>?
        let code = unsafeBitCast(symbol, to: GetFunctionList.self)(&list)
        guard code == CKR_OK, let list else { throw .call("C_GetFunctionList", PKCS11Code(value: code)) }
        (self.path, functions) = (path, list.pointee)
        _ = ProcessEnd.isAwaited
    }

    private typealias GetFunctionList =
        @convention(c) (
            UnsafeMutablePointer<UnsafeMutablePointer<CK_FUNCTION_LIST>?>
        ) -> CK_RV

    /// Calls a function of the module, and returns its code.
    func code<Function>(
        _ function: KeyPath<CK_FUNCTION_LIST, Function?>, _ body: (Function) -> CK_RV
    ) -> PKCS11Code {
        // CKR_FUNCTION_NOT_SUPPORTED (section 5.1.6).
        PKCS11Code(value: functions[keyPath: function].map(body) ?? 0x54)
    }

    /// Calls a function of the module. Throws if it fails.
    func call<Function>(
        _ name: String, _ function: KeyPath<CK_FUNCTION_LIST, Function?>, _ body: (Function) -> CK_RV
    ) throws(HardwareKeyError) {
        let code = code(function, body)
        guard code.value == CKR_OK else { throw .call(name, code) }
    }
}
